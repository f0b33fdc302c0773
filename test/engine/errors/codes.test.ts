import type { IDataObject } from 'n8n-workflow';

import { codeOfItem } from '../../help';
import { chosen } from '../rows';
import { useService } from '../sandbox';

const test = useService();

const create = { resource: 'contactType', operation: 'create', name: '={{ $json.name }}' };
const toErrorOutput = { node: { onError: 'continueErrorOutput' as const } };
const items = ['X', 'Customers'].map((name) => ({ json: { name } }));

it('is in each item of the error output', async () => {
	const errors = { name: ['It is taken.'] };
	const body = { status: 'failed', errors };
	test.service.fault({ kind: 'shape', body, status: 422 });
	const { failed } = await test.service.run(create, { items, ...toErrorOutput });
	expect(failed.map(({ json }) => codeOfItem(json.error))).toEqual([
		'text-too-short',
		'field-rejected',
	]);
});

it('is in the items of operations that process all items together', async () => {
	const addresses = ['nobody', '', { of: 'Ann' }].map((mail) => ({ json: { mail } }));
	const sync = {
		resource: 'globalUnsubscribe',
		operation: 'syncRecipients',
		fields: { mappingMode: 'defineBelow', value: { email: '={{ $json.mail }}' } },
	};
	const { failed } = await test.service.run(sync as unknown as IDataObject, {
		items: addresses,
		...toErrorOutput,
	});
	expect(failed.map(({ json }) => codeOfItem(json.error))).toEqual([
		'address-invalid',
		'address-missing',
		'single-value-expected',
	]);
});

it.each<[string, IDataObject, string]>([
	['a value that is not valid', { ...create, name: 'X' }, 'text-too-short'],
	[
		'a refusal',
		{ resource: 'contact', operation: 'get', contactId: chosen('999999', 'id') },
		'record-not-found',
	],
])('is in the context of an error that stops the node: %s', async (_what, parameters, code) => {
	const { error } = await test.service.run(parameters);
	expect(error?.context).toMatchObject({ code });
});
