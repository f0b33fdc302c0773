import fc from 'fast-check';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { createMappedReader } from '../../../nodes/EmailMarketing/features/contacts/inputItems';
import type { Item } from '../../../nodes/EmailMarketing/params/item';

const itemOf = (json: IDataObject) => ({ json }) as Item;

/** What a reader gives for each item, and for how many of them it asks n8n, which gives these values. */
function read(mapped: unknown, jsons: IDataObject[], values: unknown[], isTool = false) {
	const reader = createMappedReader(mapped, isTool);
	let evaluations = 0;
	const given = jsons.map((json, index) =>
		reader(itemOf(json), () => {
			evaluations += 1;
			return values[index];
		}),
	);
	return { given, evaluations };
}

const names = [{ name: 'Ada' }, { name: 'Grace' }, {}, { name: null }];
const ofNames = ['Ada', 'Grace', undefined, null];

it('works out a simple expression for each item once n8n has given the same for one', () => {
	expect(read('={{ $json.name }}', names, ofNames)).toEqual({ given: ofNames, evaluations: 1 });
});

it('lets n8n work out what is not simple', () => {
	expect(read('={{ $json.name.slice(0) }}', names, ofNames).evaluations).toBe(4);
});

it('lets n8n work out everything for a tool, where the item is the one of the agent', () => {
	const values = ['a', 'b', 'c', 'd'];
	expect(read('={{ $json.name }}', names, values, true)).toEqual({
		given: values,
		evaluations: 4,
	});
});

it('lets n8n work out what it gives otherwise for the first item', () => {
	const values = ['Eve', 'Grace', undefined, null];
	expect(read('={{ $json.name }}', names, values)).toEqual({ given: values, evaluations: 4 });
});

it('lets n8n refuse an expression for each item', () => {
	const reader = createMappedReader('={{ $json.caller }}', false);
	for (const caller of ['a', 'b', undefined]) {
		const refuse = () => {
			throw new Error('Refused');
		};
		expect(() => reader(itemOf({ caller }), refuse)).toThrow('Refused');
	}
});

it('lets n8n work out the items that have no plain value', () => {
	const jsons = [{ name: ['Ada'] }, { name: 'Ada' }, { name: { first: 'Ada' } }, { name: 'Eve' }];
	const values = jsons.map(({ name }) => name);
	expect(read('={{ $json.name }}', jsons, values)).toEqual({ given: values, evaluations: 3 });
});

it('writes out a time that n8n gives', () => {
	const time = DateTime.fromISO('2026-05-04', { zone: 'utc' });
	expect(read('={{ $now }}', [{}], [time]).given).toEqual(['2026-05-04T00:00:00.000Z']);
});

it('gives what is no expression as it is', () => {
	const plain = fc.oneof(
		fc.string().filter((text) => !text.startsWith('=')),
		fc.integer(),
		fc.constant(null),
	);
	fc.assert(fc.property(plain, (value) => expect(read(value, [{}], []).given).toEqual([value])));
});
