import { WorkflowExpression } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();
const count = 20;
const items = Array.from({ length: count }, (_value, index) => ({
	json: { index, email: `${index}@example.com`, country: '85', name: `Ann ${index}` },
}));

/** How many expressions n8n works out in a run; in a real n8n, each takes it half a millisecond. */
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

it('computed fields of a contact are worked out once each', async () => {
	const value = {
		email: '={{ $json.email.trim() }}',
		country: "={{ '85' }}",
		first_name: '={{ $json.name.trim() }}',
		last_name: '={{ $json.name }}',
	};
	expect(await expressionsOf(contact({ mappingMode: 'defineBelow', value }))).toBe(3 * count);
});

it('fields dragged in, and automatic mapping, need no expression', async () => {
	const value = { email: '={{ $json.email }}', country: '85', first_name: '={{ $json["name"] }}' };
	expect(await expressionsOf(contact({ mappingMode: 'defineBelow', value }))).toBe(0);
	expect(await expressionsOf(contact({ mappingMode: 'autoMapInputData', value: null }))).toBe(0);
});
