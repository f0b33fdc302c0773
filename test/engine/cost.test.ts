import { WorkflowExpression } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();
const count = 20;
const items = Array.from({ length: count }, (_value, index) => ({
	json: { index, email: `${index}@example.com`, country: '85', name: `Ann ${index}` },
}));

/** How many expressions n8n works out in a run; in a real n8n, each takes it a third of a millisecond. */
async function expressionsOf(parameters: IDataObject): Promise<number> {
	const workOut = jest.spyOn(WorkflowExpression.prototype, 'resolveSimpleParameterValue');
	const { items: given, error } = await test.service.run(parameters, { items });
	const values = workOut.mock.calls.map(([value]) => value);
	workOut.mockRestore();
	expect(error).toBeUndefined();
	expect(given).toHaveLength(count);
	return values.filter((value) => typeof value === 'string' && value.startsWith('=')).length;
}

const contact = (fields: IDataObject): IDataObject => ({
	resource: 'contact',
	operation: 'create',
	contactTypeId: chosen('21'),
	fields,
});

it('an expression is worked out once for each item', async () => {
	const named = { resource: 'contactType', operation: 'create', name: '={{ $json.name }}' };
	expect(await expressionsOf(named)).toBe(count);
	const chosenBy = chosen('={{ 21 + $json.index % 2 }}', 'id');
	expect(
		await expressionsOf({ resource: 'contactType', operation: 'get', contactTypeId: chosenBy }),
	).toBe(count);
});

it('simple computed fields of a contact, and fields dragged in, are worked out once in a run', async () => {
	const value = {
		email: '={{ $json.email.trim().toLowerCase() }}',
		country: "={{ $json.country || '85' }}",
		first_name: '={{ $json.name }}',
		last_name: "=Dr. {{ $json['name'] ?? '' }}",
		city: '={{ $("Items").item.json.name }}',
	};
	expect(await expressionsOf(contact({ mappingMode: 'defineBelow', value }))).toBe(5);
});

it('other computed fields of a contact are worked out once for each item', async () => {
	const value = {
		email: '={{ $json.email }}',
		country: "={{ '85' }}",
		first_name: '={{ $json.name.slice(0, 3) }}',
		last_name: '={{ $now.year }}',
	};
	expect(await expressionsOf(contact({ mappingMode: 'defineBelow', value }))).toBe(2 + 2 * count);
});

it('automatic mapping needs no expression', async () => {
	expect(await expressionsOf(contact({ mappingMode: 'autoMapInputData', value: null }))).toBe(0);
});
