import type { IDataObject } from 'n8n-workflow';

import { formulaOf } from '../../../nodes/EmailMarketing/params/expression';
import { engines, evaluationOf, useEngine } from './evaluation';

const json = {
	name: ' Ada ',
	'last name': 'Lovelace',
	"it's": 'quoted',
	'a.b': 'dotted',
	empty: '',
	zero: 0,
	no: false,
	yes: true,
	none: null,
	nan: NaN,
	address: { city: 'Ulm', streets: ['Main St', 'Side St'] },
	when: '2026-01-02T03:04:05.000Z',
};
const crm = [{ json: { name: 'first' } }, { json: { name: 'second', tags: ['x'] } }];
const { items, evaluate } = evaluationOf(crm, [
	{ json, pairedItem: { item: 1 } },
	{ json: {} as IDataObject },
]);
const [item, unpaired] = items as [(typeof items)[0], (typeof items)[0]];

const readHere: Array<[string, unknown]> = [
	['{{ $json.name }}', ' Ada '],
	['{{$json.name}}', ' Ada '],
	['{{ $json["name"] }}', ' Ada '],
	["{{ $json['last name'] }}", 'Lovelace'],
	['{{ $json["it\'s"] }}', 'quoted'],
	['{{ $json["a.b"] }}', 'dotted'],
	['{{ $json.missing }}', undefined],
	['{{ $json.none }}', null],
	['{{ $json.nan }}', NaN],
	['{{ $json.address.city }}', 'Ulm'],
	['{{ $json.address["streets"][1] }}', 'Side St'],
	['{{ $json.address.streets.length }}', 2],
	['{{ $json.address?.city }}', 'Ulm'],
	['{{ $json.none?.city.name }}', undefined],
	['{{ $json.missing?.["city"]?.[0] }}', undefined],
	['{{ $json?.missing?.trim() }}', undefined],
	['{{ $("CRM").item.json.name }}', 'second'],
	["{{ $('CRM').item.json.tags[0] }}", 'x'],
	['{{ $json.name.trim() }}', 'Ada'],
	['{{ $json.name.trim().toLowerCase() }}', 'ada'],
	['{{ $json["last name"]?.toUpperCase() }}', 'LOVELACE'],
	["{{ $json.empty || 'Germany' }}", 'Germany'],
	["{{ $json.empty ?? 'Germany' }}", ''],
	["{{ $json.none ?? '' }}", ''],
	["{{ $json.zero || $json.no || 'x' }}", 'x'],
	['{{ $json.none ?? $json.empty ?? $json.name }}', ''],
	["{{ 'constant' }}", 'constant'],
	['text only', 'text only'],
	['', ''],
	['Hello {{ $json["last name"] }}!', 'Hello Lovelace!'],
	['{{ $json.address.city }} {{ $json["last name"] }}', 'Ulm Lovelace'],
	['{{ $json.address.city }} ', 'Ulm '],
	['<{{ $json.none }}{{ $json.missing }}{{ $json.nan }}{{ $json.empty }}>', '<>'],
	['{{ $json.zero }}{{ $json.no }}{{ $json.yes }}', '0falsetrue'],
	['} }} {{ $json.zero }} }', '} }} 0 }'],
];

const left = [
	'{{ $json }}',
	'{{ $json.address }}',
	'{{ $json.address.streets }} in text',
	'{{ $json.missing.city }}',
	'{{ $json.address.streets[2] }}',
	'{{ $json.name.length }}',
	'{{ $json.name[0] }}',
	'{{ $json.toString }}',
	'{{ $json["constructor"] }}',
	'{{ $json["__proto__"] }}',
	'{{ $json.address.streets.map }}',
	'{{ $json.zero.trim() }}',
	'{{ $json.missing.trim() }}',
	'{{ $json.name.trim().split(" ") }}',
	'{{ $json.name.toTitleCase() }}',
	'{{ $json.name.isEmpty() }}',
	'{{ $json.when.toDateTime() }}',
	'{{ $json.a - $json.b }}',
	'{{ $json.zero ? 1 : 2 }}',
	'{{ $json.no || $json.none ?? 1 }}',
	'{{ $json.zero + 1 }}',
	'{{ ($json.none || $json.name).trim() }}',
	'{{ $input.item.json.name }}',
	'{{ $jsonx.name }}',
	'{{ 010 }}',
	'{{ 1.trim() }}',
	"{{ 'a\\n' }}",
	'{{ "open }}',
	'{{ `text` }}',
	'{{ $json.name; }}',
	'{{ $json.name // comment }}',
	'{{ $json.name',
	'{{ }}',
	'\\{{ $json.name }}',
	'{{ $now }}',
	'{{ $itemIndex }}',
	'{{ $binary.file }}',
	'{{ $vars.x }}',
	'{{ $("CRM").item.binary }}',
	'{{ $("CRM").all() }}',
	'{{ $("CRM").first().json.name }}',
	'{{ $("Idle").item.json.name }}',
	'{{ $("After").item.json.name }}',
	'{{ $("Unknown").first().json.name }}',
	'{{ $("CRM").first(0).json.name }}',
	'{{ $(CRM).item.json.name }}',
];

describe.each(engines)('with the engine "%s" of n8n', (engine) => {
	useEngine(engine);

	it.each(readHere)('n8n gives what is read here for %s', (expression, value) => {
		expect(formulaOf(expression)?.(item)).toBe(value);
		expect(evaluate(`=${expression}`, 0)).toBe(value);
	});
});

it.each(left)('leaves to n8n: %s', (expression) => {
	expect(() => {
		const formula = formulaOf(expression);
		if (formula === undefined) throw new Error('No formula');
		formula(item);
	}).toThrow();
});

it('leaves to n8n what an item that is paired to no other has from an earlier node', () => {
	const expression = '{{ $("CRM").item.json.name }}';
	expect(() => formulaOf(expression)?.(unpaired)).toThrow('Paired item data');
	expect(() => evaluate(`=${expression}`, 1)).toThrow('Paired item data');
});

it('leaves to n8n texts that one of its engines changes', () => {
	const { items: of } = evaluationOf(
		[],
		[{ json: { zero: 'a\0b', half: '\ud83d!', mark: '\ufeffx' } }],
	);
	for (const expression of ['{{ $json.zero }}', '{{ $json.half }}!', '{{ $json.mark }}']) {
		expect(() => of.map((one) => formulaOf(expression)?.(one))).toThrow();
	}
	expect(formulaOf('{{ $json.name }}\0')).toBeUndefined();
});

it('leaves to n8n what belongs to another kind of object', () => {
	const odd = { date: new Date(0), map: new Map([['x', 1]]) } as unknown as IDataObject;
	const { items: of } = evaluationOf([], [{ json: odd }]);
	for (const expression of ['{{ $json.date }}', '{{ $json.date.x }}', '{{ $json.map.x }}']) {
		expect(() => of.map((one) => formulaOf(expression)?.(one))).toThrow();
	}
});
