import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { TRIES } from './inflict';
import { pauses } from './pauses';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./pauses').withoutPauses(),
);

const test = useService();
beforeEach(() => pauses.reset());

const numbered = (count: number, json: (n: number) => IDataObject) =>
	Array.from({ length: count }, (_, n) => ({ json: json(n) }));

const contactTypes = {
	parameters: {
		resource: 'contactType',
		operation: 'create',
		name: '={{ $json.name }}',
		options: { parallelRequests: 2 },
	},
	rest: {
		items: numbered(20, (n) => ({ name: `Type ${n}` })),
		node: { onError: 'continueErrorOutput' as const },
	},
};

describe('a service that is down for longer', () => {
	it('is waited for by the first requests of a run, not by each of many', async () => {
		const { service } = test;
		service.fault({ kind: 'status', status: 429, times: 1000 });
		const { parameters, rest } = contactTypes;
		const { failed } = await service.run(parameters, rest);
		expect(failed).toHaveLength(20);
		expect(service.calls()).toHaveLength(2 * TRIES + 18);
	});

	it('is given all tries again when it is back', async () => {
		const { service } = test;
		// Item 0 is given up, item 1 tried once, item 2 answered, item 3 carried out at its last try.
		service.fault({ kind: 'status', status: 429, times: TRIES + 1 });
		service.fault({ kind: 'failed', errors: 'Not you' });
		service.fault({ kind: 'status', status: 429, times: TRIES - 1 });
		const { parameters, rest } = contactTypes;
		const options = { parallelRequests: 1 };
		const items = rest.items.slice(0, 4);
		const outcome = await service.run({ ...parameters, options }, { ...rest, items });
		expect(service.calls()).toHaveLength(TRIES + 1 + 1 + TRIES);
		expect(outcome.failed.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2].map((item) => ({ item })),
		);
		expect(outcome.items).toHaveLength(1);
	});

	it('does not make a sync wait for each contact', async () => {
		const { service } = test;
		service.fault({
			kind: 'status',
			status: 429,
			times: 1000,
			match: { method: 'POST', path: '/contacts/add' },
		});
		const outcome = await service.run(
			{
				resource: 'contact',
				operation: 'sync',
				contactTypeId: chosen('21'),
				fields: { mappingMode: 'autoMapInputData', value: null },
				options: { parallelRequests: 2 },
			},
			{ items: numbered(10, (n) => ({ email: `c${n}@example.com`, country: '85' })) },
		);
		expect(outcome.items.map(({ json }) => json.action)).toEqual(Array(10).fill('failed'));
		expect(service.calls().filter((call) => call === 'POST /contacts/add')).toHaveLength(
			2 * TRIES + 8,
		);
	});
});

describe('a request for many that is turned away for a passing reason', () => {
	it('is not taken apart by a sync that deletes', async () => {
		const { service } = test;
		const path = '/contacts/bulk-delete';
		const { contacts } = service.state.tables;
		for (let id = 1; id <= 6; id++)
			contacts.add({ id, contact_type_id: 21, email: `c${id}@x.io` }, 0);
		service.fault({ kind: 'status', status: 429, times: 1000, match: { path } });
		const { items } = await service.run(
			{
				resource: 'contact',
				operation: 'sync',
				contactTypeId: chosen('21'),
				fields: { mappingMode: 'autoMapInputData', value: null },
				missing: 'delete',
				options: {
					...limits({ maxRemovalPercent: 100 }),
					...removal({ onlyAddedBySync: false, removeAfter: 1 }),
				},
			},
			{ items: [{ json: { email: 'ada@example.com' } }] },
		);
		const reasons = items.slice(1).map(({ json }) => json.reason);
		expect(reasons).toHaveLength(6);
		for (const reason of reasons) expect(reason).toContain('(HTTP 429). Try again later.');
		expect(service.calls().slice(3)).toEqual(Array(TRIES).fill(`POST ${path}`));
	});

	it('is not taken apart where many addresses are added', async () => {
		const { service } = test;
		const path = '/global-unsubscribes/save';
		service.fault({ kind: 'status', status: 429, times: 1000, match: { path } });
		const { items } = await service.run(
			{
				resource: 'globalUnsubscribe',
				operation: 'syncRecipients',
				emailAddress: '={{ $json.email }}',
			},
			{ items: numbered(6, (n) => ({ email: `c${n}@example.com` })) },
		);
		expect(items.map(({ json }) => json.action)).toEqual(Array(6).fill('failed'));
		expect(service.calls().slice(1)).toEqual(Array(TRIES).fill(`POST ${path}`));
	});
});

it('a reason that ends with a full stop gets no second one', async () => {
	const { service } = test;
	service.fault({
		kind: 'failed',
		errors: { email: ['The email has already been taken.'] },
		match: { path: '/contacts/add' },
	});
	const { items } = await service.run(
		{
			resource: 'contact',
			operation: 'upsert',
			contactTypeId: chosen('21'),
			fields: { mappingMode: 'autoMapInputData', value: null },
		},
		{ items: [{ json: { email: 'new@example.com', country: '85' } }] },
	);
	expect(items[0]?.json.reason).toBe(
		'The service rejected "Email": The email has already been taken. Correct this field and run again. Nothing was changed.',
	);
});
