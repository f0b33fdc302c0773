import { WorkflowExpression } from 'n8n-workflow';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

const person = (name: string, rest: IDataObject = {}): INodeExecutionData => ({
	json: { name, email: ` ${name}@Example.com`, ...rest },
});
const items = [
	person('Alan', { city: 'Ulm' }),
	person('Grace', { city: null, tags: ['first'] }),
	person('Eve', { city: ' Bonn ', tags: [], address: { street: 'Main St 1' } }),
];
const fields = {
	email: '={{ $json.email.trim().toLowerCase() }}',
	country: "={{ $json.country || '85' }}",
	first_name: '=Dr. {{ $json["name"] }}',
	last_name: "={{ $('Items').item.json.name }}-{{ $json.name }}",
	city: "={{ $json.city?.trim() ?? 'nowhere' }}",
	address_line1: "={{ $json.address?.street || $json.tags?.[0] || 'none' }}",
};

/** Creates the contacts; counts n8n's evaluations. */
async function create(value: IDataObject, node: Partial<INode> = {}) {
	test.service.reset();
	const parameters = {
		resource: 'contact',
		operation: 'create',
		contactTypeId: chosen('21'),
		fields: { mappingMode: 'defineBelow', value },
	};
	const evaluate = jest.spyOn(WorkflowExpression.prototype, 'resolveSimpleParameterValue');
	const outcome = await test.service.run(parameters, { items, node });
	const evaluated = evaluate.mock.calls.filter(([text]) => String(text).startsWith('='));
	evaluate.mockRestore();
	const { message, description } = outcome.error ?? {};
	return {
		evaluations: evaluated.length,
		result: {
			sent: test.service.sent(),
			given: outcome.items.map(({ json }) => json),
			failed: outcome.failed.map(({ json }) => json),
			error: { message, description },
		},
	};
}

/** The same fields for n8n alone: a comment in an expression changes nothing but who evaluates it. */
const forN8n = (value: Record<string, string>) =>
	Object.fromEntries(
		Object.entries(value).map(([field, text]) => [field, text.replaceAll('}}', '/* n8n */ }}')]),
	);

it('simple computed fields are sent as n8n would work them out', async () => {
	const here = await create(fields);
	const byN8n = await create(forN8n(fields));

	expect(here.result).toEqual(byN8n.result);
	const common = { contact_type_id: '21', country: '85' };
	expect(here.result.sent.flatMap(({ body }) => (body === null ? [] : [body]))).toEqual([
		{
			...common,
			email: 'alan@example.com',
			first_name: 'Dr. Alan',
			last_name: 'Alan-Alan',
			city: 'Ulm',
			address_line1: 'none',
		},
		{
			...common,
			email: 'grace@example.com',
			first_name: 'Dr. Grace',
			last_name: 'Grace-Grace',
			city: 'nowhere',
			address_line1: 'first',
		},
		{
			...common,
			email: 'eve@example.com',
			first_name: 'Dr. Eve',
			last_name: 'Eve-Eve',
			city: 'Bonn',
			address_line1: 'Main St 1',
		},
	]);
	expect(byN8n.evaluations).toBe(items.length * Object.keys(fields).length);
	expect(here.evaluations).toBe(Object.keys(fields).length);
});

it.each([
	['a node that does not exist', '={{ $("Unknown").item.json.name }}'],
	['a node that comes later', '={{ $("Email Marketing").item.json.name }}'],
	['a name that n8n refuses', '={{ $json.caller }}'],
	['a constructor', '={{ $json.constructor }}'],
	['a function', '={{ $json.toString }}'],
	['a value without the method', '={{ $json.tags.trim() }}'],
	['a path into nothing', '={{ $json.address.street }}'],
	['a syntax error', '={{ $json. }}'],
])('%s fails, or gives nothing, as n8n has it', async (_what, lastName) => {
	const value = { ...fields, last_name: lastName };
	for (const node of [{}, { onError: 'continueErrorOutput' as const }]) {
		const here = await create(value, node);
		const byN8n = await create(forN8n(value), node);
		expect(here.result).toEqual(byN8n.result);
	}
});
