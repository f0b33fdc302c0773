import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { createMappedReader } from '../../../nodes/EmailMarketing/features/contacts/inputItems';
import { engines, evaluationOf, useEngine } from './evaluation';

const names = ['name', 'list', 'deep', '_', '$'];
const otherKeys = [
	...[
		'a b',
		'x.y',
		"it's",
		'say "hi"',
		'ключ',
		'名',
		'0',
		'1',
		'',
		'{{',
		'}}',
		'\\',
		'\n',
		'\u2028',
	],
	...['json', 'item', 'first', 'trim', 'length', 'caller', 'binding', 'prototype', 'map'],
	...['constructor', '__proto__', 'toString', 'hasOwnProperty'],
];
const name = fc.constantFrom(...names);
const key = fc.oneof(
	{ weight: 5, arbitrary: name },
	{ weight: 4, arbitrary: fc.constantFrom('a b', "it's", '0') },
	{ weight: 2, arbitrary: fc.constantFrom(...otherKeys) },
	fc.string({ unit: 'binary', maxLength: 3 }),
);

const text = fc.oneof(
	fc.constantFrom('', ' Ada ', 'ΟΔΟΣ', 'ß', 'İ', '\ufeffx\u00a0', '2026-01-02T03:04:05.000Z'),
	fc.constantFrom('{{ $json.name }}', '$json.name', '\0', 'a\0b', '\ud83d', '\u2028'),
	fc.string({ unit: 'grapheme' }),
	fc.string({ unit: 'binary' }),
);
const leaf = fc.oneof(
	{ weight: 3, arbitrary: text },
	fc.constantFrom(null, undefined, true, false, 0, -0, NaN, Infinity, 1e21, 0.1, -7),
);
const { value } = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 2, depthSize: 'small' },
		{ weight: 5, arbitrary: leaf },
		fc.array(tie('value'), { maxLength: 3 }),
		fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
	),
}));
const list = fc.oneof(fc.array(value, { minLength: 1, maxLength: 3 }), value);
const deep = fc.oneof(fc.record({ name: leaf, list, 'a b': leaf }), value);
const usual = fc.record(
	{ name: fc.oneof(text, value), list, deep, 'a b': leaf, "it's": leaf },
	{ requiredKeys: ['name'] },
);
const json = fc
	.tuple(fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }), usual)
	.map(([odd, known]): IDataObject => ({ ...odd, ...known }));

const spaced = (given: string) =>
	fc
		.tuple(fc.constantFrom('', '', ' ', '\n'), fc.constantFrom('', '', ' ', '\t'))
		.map(([before, after]) => before + given + after);
/** In quotes that it does not contain, most of the time. */
const quoted = fc
	.tuple(fc.oneof(key, text), fc.constantFrom('"', "'", '"', "'", '`', ''))
	.map(([given, quote]) => {
		const marks = given.includes(quote) && given.length % 4 > 0 ? '"' : quote;
		return marks + given + marks;
	});
const number = fc.constantFrom('0', '0', '1', '85', '010', '1.5', '0x1', '1_0', '1n', '1e3');

const nodes = ['CRM', 'CRM', 'Edit', 'Idle', 'After', 'None', ''];
const source = fc.oneof(
	{ weight: 6, arbitrary: fc.constant('$json') },
	{ weight: 2, arbitrary: fc.constantFrom('$input.item.json', '$("CRM").item.json') },
	fc.constantFrom('$input.first().json', '$node["CRM"].json', '$binary', '$json.deep'),
	fc
		.tuple(fc.constantFrom(...nodes), fc.constantFrom('item', 'first()', 'last()', 'pairedItem()'))
		.map(([node, which]) => `$('${node}').${which}.json`),
);
const member = fc.oneof(
	{ weight: 5, arbitrary: name.map((one) => `.${one}`) },
	{ weight: 3, arbitrary: quoted.map((one) => `[${one}]`) },
	fc.constantFrom('?.name', '?.["a b"]', '?.[0]', '?.deep', '.list[0]', '.deep.name'),
	fc.constantFrom(...otherKeys).map((one) => `.${one}`),
);
const call = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.constantFrom('.trim()', '?.trim()', '.toLowerCase()', '?.toUpperCase()'),
	},
	fc.constantFrom('.length', '.toTitleCase()', '.isEmpty()', '.trim', '.at(0)', '()', '.trim(1)'),
	number.map((index) => `[${index}]`),
);
const path = fc
	.tuple(
		source,
		fc.array(member, { minLength: 1, maxLength: 2 }),
		fc.oneof(fc.constant([]), fc.array(call, { maxLength: 2 })),
	)
	.map(([start, members, calls]) => [start, ...members, ...calls].join(''));
const { choice } = fc.letrec<{ choice: string; operand: string }>((tie) => ({
	operand: fc.oneof(
		{ maxDepth: 2, depthSize: 'small' },
		{ weight: 8, arbitrary: path },
		{ weight: 2, arbitrary: quoted },
		fc.oneof(number, fc.constantFrom('null', 'undefined', '$now.year', '$itemIndex', '$json')),
		fc
			.tuple(tie('choice'), fc.array(call, { maxLength: 2 }))
			.map(([inner, calls]) => `(${inner})${calls.join('')}`),
	),
	choice: fc
		.tuple(
			tie('operand'),
			fc.constantFrom('+', '||', '??', '+', '||', '??', '-'),
			fc.array(fc.tuple(fc.constantFrom('', '', '', '+', '||', '??'), tie('operand')), {
				maxLength: 2,
			}),
		)
		.map(([first, usual, others]) =>
			others.reduce((whole, [other, next]) => `${whole} ${other || usual} ${next}`, first),
		),
}));

/** What people write. */
const common = fc
	.tuple(
		fc.constantFrom('$json', '$json', '$json', '$("CRM").item.json'),
		fc.constantFrom('.name', '["a b"]', "['a b']", '.deep?.name', '.list?.[0]', '.name'),
		fc.constantFrom('', '', '.trim()', '?.trim()', '.toLowerCase()', '?.toUpperCase()'),
		fc.constantFrom('', '', " || ''", " ?? 'none'", ' || $json.name', " + ' '", ' ?? 7'),
	)
	.map((parts) => parts.join(''));

const code = fc
	.oneof({ weight: 3, arbitrary: common }, { weight: 2, arbitrary: choice })
	.chain(spaced)
	.map((given) => `{{${given}}}`);
const literal = fc.oneof(
	fc.constantFrom(
		' ',
		'Dear ',
		'{',
		'}',
		'}}',
		'\\',
		'\\\\',
		'{{',
		'"',
		"'",
		'`${',
		'\n',
		'=',
		'//',
	),
	text,
);
const expression = fc.oneof(
	{ weight: 5, arbitrary: code },
	{
		weight: 2,
		arbitrary: fc
			.tuple(literal, fc.array(fc.oneof(code, literal), { maxLength: 3 }), code)
			.map(([before, parts, last]) => [before, ...parts, last].join('')),
	},
	// One in which somebody is typing.
	fc
		.tuple(code, fc.nat(), fc.constantFrom('', ...'+-?.()[]!,;:/*{}"\'`\\ \n$a1'))
		.map(([given, at, typed]) => {
			const position = at % given.length;
			return given.slice(0, position) + typed + given.slice(position + (at % 2));
		}),
);

const crmItems = fc.array(
	json.map((one) => ({ json: one }) as INodeExecutionData),
	{
		minLength: 1,
		maxLength: 3,
	},
);
/** Each with the item of `CRM` that it was made of, or none, or two of them. */
const editedItems = fc.array(
	fc.record({
		json,
		pairedItem: fc.constantFrom({ item: 0 }, { item: 0 }, { item: 1 }, 0, undefined, [
			{ item: 0 },
			{ item: 1 },
		]),
	}) as fc.Arbitrary<INodeExecutionData>,
	{ minLength: 2, maxLength: 4 },
);

/** A value or the words of an error. */
function outcomeOf(work: () => unknown): unknown {
	try {
		return { value: work() };
	} catch (error) {
		const { name, message, description } = error as Error & { description?: string };
		return { name, message, description };
	}
}

describe.each(engines)('with the engine "%s" of n8n', (engine) => {
	useEngine(engine);

	it('every field of every item gets the value, or the error, that n8n has for it', () => {
		let readHere = 0;
		fc.assert(
			fc.property(crmItems, editedItems, expression, (crm, edited, given) => {
				const { items, evaluate } = evaluationOf(crm, edited);
				const read = createMappedReader(`=${given}`, false);
				for (const item of items) {
					const byN8n = () => evaluate(`=${given}`, item.index);
					let isAsked = false;
					const got = outcomeOf(() =>
						read(item, () => {
							isAsked = true;
							return byN8n();
						}),
					);
					if (isAsked) continue;
					readHere += 1;
					expect(got).toStrictEqual(outcomeOf(byN8n));
				}
			}),
			{ numRuns: 60 },
		);
		expect(readHere).toBeGreaterThan(10);
	});
});
