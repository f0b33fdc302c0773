import type { IDataObject } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import { apply, mirror, planOf } from './planned';
import { address, people, ScheduledSync } from './scheduledSync';
import { TYPE, useAccount } from './support';

const given = useAccount({ deletes: 'gone' });

const before = people('ann', 'bob', 'cat');
const after: IDataObject[] = [
	{ ...before[0], city: 'Wien' },
	...before.slice(2),
	...people('dan', 'eve', 'gone'),
];
/** One request at a time, each sent once: after the kill, there is nobody to send it again. */
const options = {
	...removal({ removeAfter: 1 }),
	parallelRequests: 1,
	retryTemporaryFailures: false,
};

const sends = () => given.account.state.journal.entries.length;

/** After so many requests, nothing gets through any more; the next one still does if its response is lost. */
function kill(after: number, isNextCarriedOut: boolean) {
	const { faults, journal } = given.account.state;
	journal.clear();
	faults.add({ kind: 'reset-before', skip: after + Number(isNextCarriedOut), times: 1_000 });
	if (isNextCarriedOut) faults.add({ kind: 'reset-after', skip: after });
}

/** Whoever is there, with what the input changes, and how often each person was added. */
function result() {
	const { journal, tables } = given.account.state;
	return {
		contacts: tables.contacts
			.all()
			.filter((contact) => contact.contact_type_id === TYPE)
			.map(({ email, city }) => [email, city || null])
			.sort(),
		unsubscribed: tables.globalUnsubscribes.size,
		violations: journal.violations,
	};
}
const complete = {
	contacts: [
		[address('ann'), 'Wien'],
		...['cat', 'dan', 'eve'].map((name) => [address(name), null]),
	],
	unsubscribed: 1,
	violations: [],
};

/** A sync that has run, and the account that it has left. */
async function start(): Promise<ScheduledSync> {
	given.account.reset();
	const sync = new ScheduledSync(given, { options });
	await sync.run(before);
	given.account.unsubscribe(address('gone'));
	given.account.state.journal.clear();
	return sync;
}

describe.each([
	['has not been carried out', false],
	['has been carried out', true],
])('killed after any request, while the next one %s', (_what, isNextCarriedOut) => {
	test('a sync that runs again completes what it began', async () => {
		const whole = await start();
		await whole.restarted().run(after);
		const requests = sends();
		expect(result()).toEqual(complete);
		const left = new Set<string>();
		for (let count = 0; count < requests; count++) {
			const saved = await start();
			kill(count, isNextCarriedOut);
			await saved.restarted().attempt(after);
			left.add(JSON.stringify(result()));
			given.account.state.faults.clear();
			await saved.restarted().run(after);
			expect([count, result()]).toEqual([count, complete]);
		}
		// What the kills have left is not the same each time.
		expect(left.size).toBeGreaterThanOrEqual(4);
	});

	test('a plan that is applied again completes what it began', async () => {
		const planned = async () => {
			await start();
			return await planOf(given.account, { ...mirror.delete, options }, after);
		};
		const applyOptions = { parallelRequests: 1, retryTemporaryFailures: false };
		const rows = await planned();
		await apply(given.account, rows, applyOptions);
		const requests = sends();
		expect(result()).toEqual(complete);
		const left = new Set<string>();
		for (let count = 0; count < requests; count++) {
			const again = await planned();
			kill(count, isNextCarriedOut);
			await apply(given.account, again, applyOptions);
			left.add(JSON.stringify(result()));
			given.account.state.faults.clear();
			await apply(given.account, again, applyOptions);
			expect([count, result()]).toEqual([count, complete]);
		}
		expect(left.size).toBeGreaterThanOrEqual(4);
	});
});
