import fc from 'fast-check';

import {
	customFieldsOf,
	differingCustomFields,
	flatCustomFields,
} from '../../../nodes/EmailMarketing/records/customFields';

const contactWith = (fields: Array<[name: unknown, value: unknown]>) => ({
	custom_field: Object.fromEntries(
		fields.map(([field_name, field_value], index) => [
			`field_${index}`,
			{ field_name, field_value } as object,
		]),
	),
});

it.each([
	['plan', 'custom_field_plan'],
	['Plan_2', 'custom_field_Plan_2'],
	['favorite color (any)', 'custom_field_favorite_color_any_'],
	['größe', 'custom_field_größe'],
	['__proto__', 'custom_field___proto__'],
	['', 'custom_field_field_0'],
	[7, 'custom_field_7'],
	[{}, 'custom_field_field_0'],
])('the custom field %j is returned as %s', (name, key) => {
	expect(Object.entries(flatCustomFields(contactWith([[name, 'x']])))).toEqual([[key, 'x']]);
});

it('numbers names that would be the same', () => {
	const contact = contactWith([
		['a b', 1],
		['a-b', 2],
		['a_b_2', 3],
		['a.b', 4],
	]);
	expect(flatCustomFields(contact)).toEqual({
		custom_field_a_b: 1,
		custom_field_a_b_2: 2,
		custom_field_a_b_2_2: 3,
		custom_field_a_b_3: 4,
	});
});

it('an empty custom field is null, and a contact without any has none', () => {
	expect(flatCustomFields(contactWith([['plan', undefined]]))).toEqual({ custom_field_plan: null });
	for (const custom_field of [null, undefined, 'x', [], {}, { field_1: 'x' }]) {
		expect(flatCustomFields({ custom_field })).toEqual({});
	}
});

it('loses no custom field, whatever their names are', () => {
	const fields = fc.array(fc.tuple(fc.string({ unit: 'binary' }), fc.integer()), { maxLength: 8 });
	fc.assert(
		fc.property(fields, (given) => {
			const contact = contactWith(given);
			const flat = flatCustomFields(contact);
			expect(Object.values(flat)).toEqual(given.map(([, value]) => value));
			expect(Object.keys(flat)).toHaveLength(customFieldsOf(contact).length);
			for (const key of Object.keys(flat)) expect(key).toMatch(/^custom_field_[\p{L}\p{N}_]+$/u);
		}),
	);
});

test('values of another custom field that differs only in case are not those that an import sent', () => {
	expect(differingCustomFields('{"Plan":"gold"}', [['plan', 'gold']], true)).toEqual(['plan']);
	expect(differingCustomFields('{"Plan":"gold"}', [['plan', 'gold']])).toEqual([]);
});
