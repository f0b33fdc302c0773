import type { IDataObject } from 'n8n-workflow';

import { calls, importCsv, uploaded, uploads } from './csvFiles';
import { hints, json, TYPE, useAccount } from './support';

const test = useAccount({ duplicateEmail: 'allow' });
beforeEach(() => {
	test.account.state.tables.unsubscribeGroups.add({ id: 41, group_name: 'News' }, 0);
});
const LISTS = 'GET /global-unsubscribes';
const UPLOAD = 'POST /contacts/upload-csv';
const at = '2026-03-02T10:00:00.000000Z';
const done = (heldBack: number, rows: number, more: IDataObject = {}) => ({
	imported: true,
	contact_type_id: TYPE,
	heldBack,
	rows,
	...more,
	message: 'Imported Successfully',
});

const heading = 'email,country,first_name\n';
const gone = 'gone@example.com,85,Gone\n';
const people = heading + 'ada@example.com,85,Ada\n' + gone + 'ben@example.com,85,Ben\n';
const withoutGone = people.replace(gone, '');

describe.each(['emailMarketing', 'emailMarketingRouted'] as const)('%s', (type) => {
	it('import: takes out the rows of people who unsubscribed, and uploads the others as they are', async () => {
		const { account } = test;
		account.unsubscribe('GONE@example.com');

		const outcome = await importCsv(account, { files: [people], type });

		expect(outcome.error).toBeUndefined();
		expect(outcome.items).toEqual([{ json: done(1, 2), pairedItem: { item: 0 } }]);
		// n8n's older agents have no place for hints.
		if (type === 'emailMarketing') {
			expect(hints(outcome)?.map(({ message }) => message)).toEqual([
				'Rows not uploaded because their addresses are unsubscribed: 1',
			]);
		}
		expect(calls(account)).toEqual([LISTS, UPLOAD]);
		expect(uploads(account)).toEqual([uploaded(withoutGone)]);
		expect(account.emails()).toEqual(['ada@example.com', 'ben@example.com']);
	});

	it('takes no row with a wide @ for a heading', async () => {
		const { account } = test;
		account.unsubscribe('gone@example.com');
		const wide = 'ａｄａ＠example.com,Ada,Berlin\n';
		const outcome = await importCsv(account, { files: [heading + wide + gone], type });
		expect(outcome.error).toBeUndefined();
		expect(json(outcome)).toMatchObject([{ imported: true, heldBack: 1, rows: 1 }]);
	});

	it('uploads nothing if everybody unsubscribed', async () => {
		const { account } = test;
		account.unsubscribe('gone@example.com');

		const outcome = await importCsv(account, { files: [heading + gone + '\n' + gone], type });

		expect(outcome.error).toBeUndefined();
		expect(json(outcome)).toEqual([
			{
				imported: false,
				skipped: 'unsubscribed',
				contact_type_id: TYPE,
				heldBack: 2,
				rows: 0,
				message: 'Nothing was uploaded: the addresses of all rows are unsubscribed',
			},
		]);
		expect(calls(account)).toEqual([LISTS]);
	});
});

it('holds back an address with quotes that some programs ignore', async () => {
	const { account } = test;
	account.unsubscribe('ada@example.com');
	const ada = '"ada"@example.com,85,Ada\n';

	const outcome = await importCsv(account, { files: [people.replace(/ada@.*\n/, ada)] });

	expect(json(outcome)).toEqual([done(1, 2)]);
	expect(uploads(account)).toEqual([uploaded(people.replace(/ada@.*\n/, ''))]);
});

it('uploads the file unchanged if nobody in it unsubscribed', async () => {
	const { account } = test;
	account.unsubscribe('somebody@example.com');

	const outcome = await importCsv(account, { files: [people] });

	expect(json(outcome)).toEqual([done(0, 3)]);
	expect(uploads(account)).toEqual([uploaded(people)]);
});

it('neither reads the file nor the lists if both options are off', async () => {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	const file = 'no heading\n';

	const options = { globalUnsubscribes: false, unsubscribeGroups: [] };
	const outcome = await importCsv(account, { files: [file], options });

	expect(json(outcome)).toEqual([
		{ imported: true, contact_type_id: TYPE, message: 'Imported Successfully' },
	]);
	expect(calls(account)).toEqual([UPLOAD]);
	expect(uploads(account)).toEqual([uploaded(file)]);
});

it('uploads an empty file as it is', async () => {
	const { account } = test;

	const outcome = await importCsv(account, { files: [''] });

	expect(json(outcome)).toEqual([done(0, 0)]);
	expect(calls(account)).toEqual([LISTS, UPLOAD]);
});

it.each([true, '={{ "true" }}'])('returns the rows that it held back: %s', async (isOn) => {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	account.unsubscribe('ben@example.com', 41);

	const outcome = await importCsv(account, {
		files: [people],
		options: { returnHeldBackRows: isOn, unsubscribeGroups: [41] },
	});

	expect(json(outcome)).toEqual([
		done(2, 1, {
			heldBackRows: [
				{
					line: 3,
					email: 'gone@example.com',
					reason: 'unsubscribed',
					unsubscribedAt: at,
					unsubscribedFrom: 'Global Unsubscribes',
				},
				{
					line: 4,
					email: 'ben@example.com',
					reason: 'unsubscribed',
					unsubscribedAt: at,
					unsubscribedFrom: 'Unsubscribe Group 41',
				},
			],
		}),
	]);
});

it('returns at most 10,000 rows, and says so', async () => {
	const { account } = test;
	account.unsubscribe('gone@example.com');

	const outcome = await importCsv(account, {
		files: [people + gone.repeat(10_000)],
		options: { returnHeldBackRows: true },
	});

	const [{ heldBackRows, ...rest } = {}] = json(outcome);
	expect(rest).toEqual(
		done(10_001, 2, { note: 'Only the first 10000 rows that were held back are returned' }),
	);
	expect(heldBackRows).toHaveLength(10_000);
	expect(uploads(account)).toEqual([uploaded(withoutGone)]);
});

it.each([false, '={{ "false" }}'])('respects unsubscribe groups alone: %s', async (isOn) => {
	const { account } = test;
	account.unsubscribe('ada@example.com');
	account.unsubscribe('gone@example.com', 41);

	const outcome = await importCsv(account, {
		files: [people],
		options: { globalUnsubscribes: isOn, unsubscribeGroups: '41' },
	});

	expect(json(outcome)).toEqual([done(1, 2)]);
	expect(account.reads()).toEqual(['/unsubscribes-groups/recipients-list']);
	expect(account.emails()).toEqual(['ada@example.com', 'ben@example.com']);
});

it('reads each list once for all files', async () => {
	const { account } = test;
	account.unsubscribe('gone@example.com');

	const outcome = await importCsv(account, { files: [people, heading + gone, people] });

	expect(
		outcome.items.map((item) => [item.json.heldBack, item.json.rows, item.pairedItem]),
	).toEqual([
		[1, 2, { item: 0 }],
		[1, 0, { item: 1 }],
		[1, 2, { item: 2 }],
	]);
	expect(calls(account)).toEqual([LISTS, UPLOAD, UPLOAD]);
	expect(hints(outcome)?.map(({ message }) => message)).toEqual([
		...[0, 1, 2].map(
			(item) => `Rows not uploaded because their addresses are unsubscribed: 1 (item ${item})`,
		),
		'1 skipped: unsubscribed',
	]);
});

it.each([{ file: ['Row 2 is not valid'] }, 'Row 2 is not valid'])(
	'does not repeat a rejected file, because some rows may have been imported: %j',
	async (errors) => {
		const { account } = test;
		account.state.faults.add({ kind: 'failed', errors, match: { method: 'POST' } });

		const { error } = await importCsv(account, {
			files: [people],
			node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});

		expect(error?.message).toContain('Row 2 is not valid');
		expect(error?.description).toMatch(
			/may have imported some rows before .* this request was not repeated\./s,
		);
		expect(uploads(account)).toHaveLength(1);
	},
);

it('sends a file again whose contact type was rejected', async () => {
	const { account } = test;
	const errors = { contact_type_id: ['The selected contact type is invalid.'] };
	account.state.faults.add({ kind: 'failed', errors, match: { method: 'POST' } });

	const { error } = await importCsv(account, {
		files: [people],
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});

	expect(error).toBeUndefined();
	expect(uploads(account)).toHaveLength(2);
});

it('uploads nothing if a list cannot be read', async () => {
	const { account } = test;
	account.state.faults.add({ kind: 'truncated' });

	const outcome = await importCsv(account, {
		files: [people],
		options: { retryTemporaryFailures: false },
	});

	expect(outcome.error?.context.code).toBe('connection-lost');
	expect(calls(account)).toEqual([LISTS]);
});

it('uploads a file once, also if n8n runs the node again', async () => {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	const match = { path: '/contacts/upload-csv' };
	account.state.faults.add({ kind: 'status', status: 429, match, skip: 1 });

	const outcome = await importCsv(account, {
		files: [people, heading + gone, withoutGone],
		options: { parallelRequests: 1, retryTemporaryFailures: false },
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});

	expect(outcome.error).toBeUndefined();
	expect(json(outcome).map(({ imported }) => imported)).toEqual([true, false, true]);
	expect(calls(account)).toEqual([LISTS, UPLOAD, UPLOAD, LISTS, UPLOAD]);
	expect(account.emails()).toHaveLength(4);
});

it('takes all lines above the first address for headings', async () => {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	const outcome = await importCsv(account, { files: [`sep=,\nOur people\n${heading}${gone}`] });
	expect(json(outcome)).toMatchObject([{ imported: false, heldBack: 1, rows: 0 }]);
	expect(uploads(account)).toEqual([]);
});
