import type { IDataObject } from 'n8n-workflow';

import { json, useAccount } from './support';

const given = useAccount({ emptyLists: 'success' });
const unsubscribe = { resource: 'globalUnsubscribe', operation: 'syncRecipients' };
const addresses = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ Mail: `u${n}@example.com` }));
const unsubscribed = () =>
	given.account.state.tables.globalUnsubscribes.all().map(({ email_address }) => email_address);

describe('many global unsubscribes', () => {
	const list = 'globalUnsubscribes';

	test('go together, without those already there, duplicates and mistakes', async () => {
		const { account } = given;
		account.unsubscribe('u1@example.com');
		const outcome = await account.run({ ...unsubscribe, options: { parallelRequests: 1 } }, [
			...addresses(4),
			{ Mail: 'U0@example.com' },
			{ Mail: 'nobody' },
			{},
		]);
		expect(json(outcome)).toEqual([
			{
				...{ action: 'skipped', email: 'u0@example.com', list },
				reason: 'duplicate: item 4 has the same email and is used instead',
			},
			{
				...{ action: 'unchanged', email: 'u1@example.com', reason: 'already on the list' },
				...{ recipientId: 100001, list },
			},
			{ action: 'added', email: 'u2@example.com', reason: 'new', recipientId: 100002, list },
			{ action: 'added', email: 'u3@example.com', reason: 'new', recipientId: 100003, list },
			{ action: 'added', email: 'U0@example.com', reason: 'new', recipientId: 100004, list },
			expect.objectContaining({ action: 'failed', field: 'Email', email: 'nobody' }) as IDataObject,
			expect.objectContaining({
				action: 'failed',
				reason: 'Email is missing. Map the column that contains it',
			}) as IDataObject,
		]);
		expect(account.writes()).toEqual([
			[
				'POST /global-unsubscribes/save',
				{ email_address: 'u2@example.com,u3@example.com,U0@example.com' },
			],
		]);
		expect(account.reads()).toEqual(['/global-unsubscribes', '/global-unsubscribes']);
	});

	test('go in chunks of 100', async () => {
		await given.account.run(unsubscribe, addresses(250));
		const sizes = given.account
			.writes()
			.map(([, fields]) => (fields as Record<string, string>).email_address?.split(',').length);
		expect(sizes.sort()).toEqual([100, 100, 50]);
	});

	test('of a rejected chunk are tried one by one', async () => {
		const { account } = given;
		account.state.faults.add({
			kind: 'failed',
			match: { path: '/global-unsubscribes/save' },
			errors: { email_address: ['The email address is not valid.'] },
			times: 2,
		});
		const outcome = await account.run(
			{ ...unsubscribe, options: { parallelRequests: 1 } },
			addresses(3),
		);
		expect(json(outcome).map(({ action }) => action)).toEqual(['failed', 'added', 'added']);
		expect(account.writes()).toHaveLength(4);
	});

	test.each([
		[true, 'added', 'The service rejected the request, but the list is as planned'],
		[
			false,
			'failed',
			'The service rejected the request: Already on the list. Check the values of this operation and whether the keys in the credential belong to this account. Nothing was changed.',
		],
	])('that are rejected alone too are looked up (added: %s)', async (effect, action, reason) => {
		const { account } = given;
		const rejected = {
			kind: 'failed',
			match: { path: '/global-unsubscribes/save' },
			errors: 'Already on the list',
		} as const;
		account.state.faults.add({ ...rejected, effect });
		account.state.faults.add({ ...rejected, times: 3 });
		const outcome = await account.run(unsubscribe, addresses(3));
		expect(json(outcome)).toEqual(
			[0, 1, 2].map((n) => ({
				...{ action, email: `u${n}@example.com`, reason, list },
				...(effect && { recipientId: 100001 + n }),
			})),
		);
		expect(account.writes()).toHaveLength(4);
		expect(account.reads()).toEqual(['/global-unsubscribes', '/global-unsubscribes']);
	});

	test.each([
		['reset-after', 'added', 3],
		['reset-before', 'failed', 0],
	] as const)('whose answer is lost (%s) are looked up', async (kind, action, count) => {
		const { account } = given;
		account.state.faults.add({ kind, match: { path: '/global-unsubscribes/save' } });
		const outcome = await account.run(unsubscribe, addresses(3));
		expect(json(outcome).map((row) => row.action)).toEqual(Array(3).fill(action));
		expect(unsubscribed()).toHaveLength(count);
		expect(account.writes()).toHaveLength(1);
	});
});

describe('many segment recipients', () => {
	const segment = (fields: IDataObject = {}) => ({
		resource: 'segment',
		operation: 'syncRecipients',
		segmentId: { __rl: true, mode: 'id', value: '5' },
		...fields,
	});
	const people: IDataObject[] = [
		{ Email: 'ada@example.com', 'First Name': 'Ada', Surname: 'Okafor' },
		{ Email: 'ben@example.com', 'First Name': 'Ben', Surname: 'Li' },
		{ Email: 'cy@example.com', 'First Name': 'Cy' },
	];
	beforeEach(() => {
		given.account.state.tables.segments.add({ id: 5, segment_name: 'VIP' }, 0);
	});

	test('are added one by one, except those already there', async () => {
		const { account } = given;
		Object.assign(account.state.settings, { emptyParents: 'success' });
		const first = await account.run(segment(), people.slice(0, 1));
		const ada = { email: 'ada@example.com', segmentId: 5, recipientId: 500001 };
		expect(json(first)).toEqual([{ ...ada, action: 'added', reason: 'new' }]);
		const outcome = await account.run(segment(), people, { onError: 'continueErrorOutput' });
		expect(json(outcome)).toEqual([
			{ ...ada, action: 'unchanged', reason: 'already on the list' },
			{
				...{ action: 'added', email: 'ben@example.com', reason: 'new' },
				...{ segmentId: 5, recipientId: 500002 },
			},
		]);
		expect(outcome.failed[0]?.json).toMatchObject({
			Email: 'cy@example.com',
			error: {
				field: 'Last Name',
				reason:
					'Last Name is missing, but the service requires it. Map the column that contains it, fill it in the source, or set "Last Name for Recipients Without One" in Options',
			},
		});
		expect(account.writes().at(-1)).toEqual([
			'POST /segment/email/store',
			{ segment_id: '5', email: 'ben@example.com', first_name: 'Ben', last_name: 'Li' },
		]);
		const options = { defaultFirstName: 'there', defaultLastName: ' - ' };
		const named = await account.run({ ...segment(), options }, people);
		expect(json(named).at(-1)).toMatchObject({ action: 'added', email: 'cy@example.com' });
		expect(account.writes().at(-1)).toEqual([
			'POST /segment/email/store',
			{ segment_id: '5', email: 'cy@example.com', first_name: 'Cy', last_name: '-' },
		]);
		const recipients = '/segment/email/list';
		const reads = [recipients, '/global-unsubscribes', recipients];
		expect(account.reads()).toEqual([...reads, ...reads, ...reads]);
	});

	test('of a segment that does not exist stop the node before it writes', async () => {
		const { account } = given;
		const outcome = await account.run(
			segment({ segmentId: { __rl: true, mode: 'id', value: '99' } }),
			people,
		);
		expect(outcome.error?.message).toMatch(/Record not found/);
		expect(account.writes()).toEqual([]);
	});
});
