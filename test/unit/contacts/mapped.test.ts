import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { createMappedReader } from '../../../nodes/EmailMarketing/contacts/mapped';

const workedOut = Symbol('worked out by n8n');

function read(mapped: unknown, json: IDataObject): unknown {
	return createMappedReader(mapped, false)(json, () => workedOut);
}

it.each(['={{ $json.name }}', '={{$json.name}}', '={{ $json["name"] }}', "={{ $json['name'] }}"])(
	'takes a field that was dragged in from the item: %s',
	(mapped) => {
		expect(read(mapped, { name: 'Ada' })).toBe('Ada');
		expect(read(mapped, {})).toBeUndefined();
	},
);

it.each([
	'={{ $json.name.trim() }}',
	'={{ $json.name }}!',
	'={{ $json.name }} ',
	'={{ $json.a.b }}',
	'={{ $json["a" + "b"] }}',
	'={{ $("Other").item.json.name }}',
	'={{ $json.name }}{{ $json.name }}',
])('lets n8n work out what is more than a field: %s', (mapped) => {
	expect(read(mapped, { name: 'Ada' })).toBe(workedOut);
});

it('lets n8n work out everything for a tool, where the item is the one of the agent', () => {
	const read = createMappedReader('={{ $json.name }}', true);
	expect(read({ name: 'Ada' }, () => 'Grace')).toBe('Grace');
});

it('lets n8n write out what is no plain value', () => {
	for (const name of [new Date(0), ['Ada'], { first: 'Ada' }]) {
		expect(read('={{ $json.name }}', { name } as unknown as IDataObject)).toBe(workedOut);
	}
});

it('writes out a time that n8n gives', () => {
	const time = DateTime.fromISO('2026-05-04', { zone: 'utc' });
	expect(createMappedReader('={{ $now }}', false)({}, () => time)).toBe('2026-05-04T00:00:00.000Z');
});

it('takes nothing that the item does not have by itself', () => {
	for (const key of ['constructor', '__proto__', 'toString']) {
		expect(read(`={{ $json.${key} }}`, {})).toBeUndefined();
	}
});

it('gives what is no expression as it is', () => {
	const plain = fc.oneof(
		fc.string().filter((text) => !text.startsWith('=')),
		fc.integer(),
		fc.constant(null),
	);
	fc.assert(fc.property(plain, (value) => expect(read(value, {})).toBe(value)));
});

it('reads every key that the editor can write in brackets', () => {
	const key = fc.string({ minLength: 1 }).filter((text) => !/["'\\\r\n]/.test(text));
	fc.assert(
		fc.property(key, fc.string(), (name, value) => {
			expect(read(`={{ $json["${name}"] }}`, Object.fromEntries([[name, value]]))).toBe(value);
		}),
	);
});
