import type { IDataObject } from 'n8n-workflow';

import { serviceIn } from '../../../nodes/EmailMarketing/service/signRequest';
import { withLock } from '../../../nodes/EmailMarketing/util/mutex';
import { TYPE, json, useAccount } from './support';

const given = useAccount();

const people = (city: string): IDataObject[] =>
	Array.from({ length: 5 }, (_, n) => ({ email: `c${n}@example.com`, country: 'DE', city }));
const actions = async (runs: Array<ReturnType<typeof given.account.run>>) =>
	(await Promise.all(runs)).map((outcome) => json(outcome).map(({ action }) => action));
const times = <T>(count: number, what: T): T[] => Array.from({ length: count }, () => what);

// Long enough for all runs to read the list before the first write, if they did not wait.
beforeEach(() => Object.assign(given.account.state.settings, { latencyMs: 20 }));

test('runs that overlap come one after the other, and create nobody twice', async () => {
	const { account } = given;
	const outcomes = await actions([
		account.run({ operation: 'sync' }, people('Köln')),
		account.run({ operation: 'upsert' }, people('Bonn')),
		account.run({ operation: 'sync' }, people('Bonn')),
	]);
	expect(outcomes).toEqual([times(5, 'created'), times(5, 'updated'), times(5, 'unchanged')]);
	expect(account.emails().sort()).toEqual(people('').map(({ email }) => email));
	expect(account.writes().map(([call]) => call)).toEqual([
		...times(5, 'POST /contacts/add'),
		...times(5, 'POST /contacts/update'),
	]);
});

test('a run that fails does not keep the next one from its turn', async () => {
	const { account } = given;
	account.state.faults.add({ kind: 'status', status: 404, match: { path: '/contacts/list' } });
	const [failed, next] = await Promise.all([
		account.run({}, people('Köln')),
		account.run({}, people('Köln')),
	]);
	expect(failed?.error?.message).toMatch(/There is no such address/);
	expect(next && json(next).map(({ action }) => action)).toEqual(times(5, 'created'));
	expect(account.emails()).toHaveLength(5);
});

test('dry runs and runs for other contact types do not wait, and the others do', async () => {
	const { account } = given;
	const other = { contactTypeId: { __rl: true, mode: 'id', value: '22' } };
	let end = () => {};
	const underWay = withLock(
		`${serviceIn({ baseUrl: account.sandbox.baseUrl }).service} contacts ${TYPE}`,
		undefined,
		async () => await new Promise<void>((resolve) => (end = resolve)),
	);
	const waiting = account.run({}, people('Köln'));
	await account.run({ dryRun: true }, people('Köln'));
	await account.run(other, people('Köln'));
	expect(account.state.tables.contacts.all().map((one) => one.contact_type_id)).toEqual(
		times(5, 22),
	);
	end();
	await underWay;
	await waiting;
	expect(account.emails()).toHaveLength(10);
});

test('two runs of Add or Sync add each address once', async () => {
	const { account } = given;
	const unsubscribe = { resource: 'globalUnsubscribe', operation: 'syncRecipients' };
	account.state.tables.segments.add({ id: 301, contact_type_id: TYPE, segment_name: 'News' }, 0);
	const recipient = {
		resource: 'segment',
		operation: 'syncRecipients',
		segmentId: { __rl: true, mode: 'id', value: '301' },
	};
	const named = people('').map((one) => ({ ...one, first_name: 'Ann', last_name: 'Example' }));
	const outcomes = await actions([
		account.run(unsubscribe, people('')),
		account.run(unsubscribe, people('')),
		account.run(recipient, named),
		account.run(recipient, named),
	]);
	expect(outcomes).toEqual([
		times(5, 'added'),
		times(5, 'unchanged'),
		times(5, 'added'),
		times(5, 'skipped'),
	]);
	expect(account.state.tables.globalUnsubscribes.all()).toHaveLength(5);
	expect(account.state.tables.segmentRecipients.all()).toHaveLength(5);
});
