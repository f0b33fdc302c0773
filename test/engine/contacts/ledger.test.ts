import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import { outcomeOf, runWorkflow } from '../engine';
import { once } from '../sandbox';
import { chosen } from '../rows';
import { hints, TYPE, useAccount } from './support';

const given = useAccount();

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ledger = { runId: '231-0', at: time, contactTypeId: TYPE };

const input = [
	{ email: 'same@example.com', country: 'DE' },
	{ email: 'old@example.com', country: 'AT' },
	{ email: 'new@example.com', country: 'DE' },
	{ email: 'gone@example.com', country: 'DE' },
	{ email: 'NEW@example.com', country: 'DE' },
	{ email: 'nobody' },
];

function start() {
	const { account } = given;
	const same = account.add('same@example.com');
	const old = account.add('old@example.com');
	const left = account.add('left@example.com');
	account.unsubscribe('gone@example.com');
	return { same, old, left };
}

const remove = {
	operation: 'sync',
	missing: 'delete',
	options: { ...limits({ maxRemovalPercent: 100 }) },
};

test('each row names its run, its time and its contact type, after its other columns', async () => {
	const { same, old, left } = start();
	const { items } = await given.account.run(remove, input);
	expect(items.map(({ json }) => json)).toEqual([
		{
			action: 'unchanged',
			email: 'same@example.com',
			reason: 'no changes',
			contactId: same.id,
			...ledger,
		},
		{
			action: 'updated',
			email: 'old@example.com',
			reason: 'changed: Country',
			contactId: old.id,
			changedFields: { country: { from: 'Germany', to: 'Austria' } },
			...ledger,
		},
		{
			action: 'skipped',
			email: 'new@example.com',
			reason: 'duplicate: item 4 is for the same contact and is used instead',
			...ledger,
		},
		{
			action: 'skipped',
			email: 'gone@example.com',
			reason: 'unsubscribed',
			unsubscribedAt: '2026-03-02T10:00:00.000000Z',
			unsubscribedFrom: 'Global Unsubscribes',
			...ledger,
		},
		{
			action: 'created',
			email: 'NEW@example.com',
			reason: 'new',
			contactId: given.account.contact('NEW@example.com')?.id,
			...ledger,
		},
		{
			action: 'failed',
			email: 'nobody',
			reason: 'Email "nobody" is not an email address. Correct it',
			field: 'Email',
			...ledger,
		},
		{
			action: 'deleted',
			email: 'left@example.com',
			reason: 'missing from the input',
			contactId: left.id,
			...ledger,
		},
	]);
	for (const { json } of items) {
		expect(Object.keys(json).slice(0, 3)).toEqual(['action', 'email', 'reason']);
		if (json.changedFields) expect(Object.keys(json)[3]).toBe('changedFields');
		expect(Object.keys(json).slice(-3)).toEqual(['runId', 'at', 'contactTypeId']);
	}
});

test('rows at the error output have it too', async () => {
	start();
	const { failed } = await given.account.run(remove, input, { onError: 'continueErrorOutput' });
	expect(failed.map(({ json }) => json.error)).toMatchObject([{ action: 'failed', ...ledger }]);
});

test('the time of a write is that of its answer', async () => {
	start();
	const before = new Date().toISOString();
	const { items } = await given.account.run(remove, input);
	const at = (action: string) =>
		String(items.find(({ json }) => json.action === action)?.json.at ?? '');
	expect(before <= at('unchanged')).toBe(true);
	expect(at('unchanged') <= at('created')).toBe(true);
	expect(at('created') <= at('deleted')).toBe(true);
});

test('the summary has what the run cost, and the reasons of skips', async () => {
	start();
	const options = { ...remove.options, report: 'summary' };
	const outcome = await given.account.run({ ...remove, options }, input);
	expect(outcome.items.map(({ json }) => json)).toEqual([
		{
			...{ created: 1, updated: 1, unchanged: 1, skipped: 2, moved: 0, addedToGroup: 0 },
			...{ deleted: 1, failed: 1, contactsBefore: 3, missingFromInput: 1, dryRun: false },
			skippedReasons: { unsubscribed: 1, duplicate: 1 },
			runId: '231-0',
			startedAt: time,
			durationMs: expect.any(Number) as number,
			// Three lists, an update, a create and a bulk delete.
			requests: 7,
			contactTypeId: TYPE,
		},
	]);
	expect(given.account.state.journal.entries).toHaveLength(7);
	expect(hints(outcome)).toMatchObject([
		{
			message:
				'1 created, 1 updated, 1 unchanged, 1 deleted, 1 failed: Email not valid (nobody); 2 skipped: 1 duplicate, 1 unsubscribed',
		},
	]);
});

test('requests that were repeated are counted', async () => {
	const { account } = given;
	start();
	const match = { method: 'GET', path: '/contacts/list' };
	account.state.faults.add({ kind: 'status', status: 503, match, times: 1 });
	const options = { ...remove.options, report: 'summary' };
	const { items } = await account.run({ ...remove, options }, input);
	expect(items[0]?.json.requests).toBe(8);
});

test('two nodes, or two runs of one, are told apart', async () => {
	const { account } = given;
	const parameters: IDataObject = {
		resource: 'contact',
		operation: 'upsert',
		contactTypeId: chosen(TYPE),
		fields: { mappingMode: 'autoMapInputData', value: null },
		options: once,
	};
	// Both outputs of the first node lead to the second one, which then runs twice.
	const run = await runWorkflow({
		baseUrl: account.sandbox.baseUrl,
		items: [{ json: { email: 'a@example.com', country: 'DE' } }, { json: { email: 'nobody' } }],
		steps: [
			{
				name: 'First',
				parameters,
				to: ['Second'],
				onFailure: ['Second'],
				node: { onError: 'continueErrorOutput' },
			},
			{ name: 'Second', parameters },
		],
	});
	const ids = (run.data.resultData.runData.Second ?? []).map(
		({ data }) => data?.main?.[0]?.[0]?.json.runId,
	);
	expect(ids).toEqual(['231-0', '231-1']);
	expect(outcomeOf(run, 'First').items[0]?.json.runId).toBe('231-0');
});
