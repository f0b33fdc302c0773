import {
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
	['größe', 'custom_field_größe'],
	['__proto__', 'custom_field___proto__'],
	['', 'custom_field_field_0'],
	[7, 'custom_field_7'],
	[{}, 'custom_field_field_0'],
])('the custom field %j is returned as %s', (name, key) => {
	expect(Object.entries(flatCustomFields(contactWith([[name, 'x']])))).toEqual([[key, 'x']]);
});

it('an empty custom field is null, and a contact without any has none', () => {
	expect(flatCustomFields(contactWith([['plan', undefined]]))).toEqual({ custom_field_plan: null });
	for (const custom_field of [null, undefined, 'x', [], {}, { field_1: 'x' }]) {
		expect(flatCustomFields({ custom_field })).toEqual({});
	}
});

test('values of another custom field that differs only in case are not those that an import sent', () => {
	expect(differingCustomFields('{"Plan":"gold"}', [['plan', 'gold']], true)).toEqual(['plan']);
	expect(differingCustomFields('{"Plan":"gold"}', [['plan', 'gold']])).toEqual([]);
});
