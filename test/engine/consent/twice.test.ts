import { json } from '../contacts/support';
import { LEFT, operations, person, useConsent } from './support';

const given = useConsent();
const calls = () => given.account.writes().map(([call]) => call);

test('same-address: two items with one address make one contact', async () => {
	const items = [person('new@example.com'), person(' NEW@example.com')];
	await given.account.run(operations.create, items);
	expect(calls()).toEqual(['POST /contacts/add']);
});

test.each(['create', 'addRecipient'] as const)(
	'lost-response: %s is not sent again by "Retry On Fail"',
	async (name) => {
		given.account.state.faults.add({ kind: 'reset-after', match: { method: 'POST' } });
		const outcome = await given.account.run(
			operations[name],
			[person(LEFT), person('new@example.com')],
			{ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
		);
		expect(outcome.error?.description).toContain('this request was not repeated.');
		expect(calls()).toHaveLength(1);
	},
);

test('overlap: runs for one list come one after the other', async () => {
	const { account } = given;
	Object.assign(account.state.settings, { latencyMs: 20 });
	const items = [person(LEFT), person('new@example.com')];
	const outcomes = await Promise.all([
		account.run(operations.syncRecipients, items),
		account.run(operations.syncRecipients, items),
	]);
	expect(outcomes.map((one) => json(one).map(({ action }) => action))).toEqual([
		['skipped', 'added'],
		['skipped', 'unchanged'],
	]);
	expect(calls()).toEqual(['POST /segment/email/store']);
});
