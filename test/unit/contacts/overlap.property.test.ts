import fc from 'fast-check';

import type { PlannedRow } from '../../../nodes/EmailMarketing/features/contacts/types';
import { contact, item } from './builders';
import { syncOptions } from './inMemoryService';
import { runOf, syncOnce } from './syncRun';
import { OverlappedService } from './overlappedService';

const address = (n: number) => `c${n}@x.org`;
const addressCount = 3;

const situation = fc.record({
	/** What the runs ask for: the addresses of each, and the city that it sends. */
	runs: fc.array(
		fc.record({
			addresses: fc.uniqueArray(fc.nat(addressCount - 1), { minLength: 1 }),
			city: fc.constantFrom('Bonn', 'Ulm'),
			isFile: fc.constantFrom(false, false, true),
		}),
		{ minLength: 2, maxLength: 3 },
	),
	isUnique: fc.boolean(),
	/** Which of the requests that wait is next. */
	turns: fc.infiniteStream(fc.nat(5)),
	/** Before which requests somebody adds a contact by hand. */
	byHand: fc.array(fc.record({ before: fc.nat(15), n: fc.nat(addressCount - 1) }), {
		maxLength: 2,
	}),
	lost: fc.array(
		fc.record({
			nth: fc.nat(20),
			hasEffect: fc.boolean(),
		}),
		{ maxLength: 2 },
	),
});
type Situation = ReturnType<typeof situation.generate>['value'];

const columns = (['email', 'country', 'city'] as const).map((field) => ({ header: field, field }));

async function carryOut({ runs, isUnique, turns, byHand, lost }: Situation) {
	const service = new OverlappedService([contact(1, { email: 'other@x.org' })], {
		isUnique,
		byHand: byHand.map(({ before, n }) => ({ before, email: address(n) })),
		lost,
	});
	const ended = Promise.all(
		runs.map(async ({ addresses, city, isFile }) => {
			const items = addresses.map((n) => item(address(n), { country: 'DE', city }));
			const options = syncOptions({
				...(isFile && { csvImport: { above: 0, columns, country: 'id' as const } }),
			});
			const connection = service.connect();
			return (await syncOnce(items, connection, options, runOf(connection))).rows;
		}),
	);
	await service.answerAll(turns, ended);
	return { service, outcomes: await ended };
}

const withAddress = (service: OverlappedService, email: string) =>
	service.contacts.filter((one) => one.email === email).map(({ id }) => id);
const rowsAbout = (outcomes: PlannedRow[][], email: string) =>
	outcomes
		.map((rows) => rows.find((row) => row.email === email))
		.filter((row) => row !== undefined);

const check = async (
	arbitrary: fc.Arbitrary<Situation>,
	property: (done: Awaited<ReturnType<typeof carryOut>>, given: Situation) => void,
) =>
	await fc.assert(
		fc.asyncProperty(arbitrary, async (given) => property(await carryOut(given), given)),
		{ numRuns: 50 },
	);

const alike = situation.map((given) => ({
	...given,
	byHand: [],
	runs: given.runs.map((run) => ({ ...run, city: 'Bonn' as const })),
}));

test('whatever overlaps, only contacts that runs created are removed, and never the first with an address', async () => {
	await check(situation, ({ service }) => {
		expect(service.removed.filter((id) => !service.createdIds.has(id))).toEqual([]);
		expect(service.contacts.map(({ id }) => id)).toEqual(expect.arrayContaining([1]));
		for (const { id, email } of service.everListed) {
			const others = service.everListed.filter((one) => one.email === email && one.id < id);
			if (others.length === 0) expect(service.removed).not.toContain(id);
		}
	});
});

test('a row is called failed only if the list that its run read last does not have the address', async () => {
	await check(situation, ({ service, outcomes }) => {
		outcomes.forEach((rows, run) => {
			for (const { action, email } of rows) {
				const isFailed = action === 'failed';
				if (isFailed) expect(service.connections[run]?.lastListed).not.toContain(email);
				else expect(withAddress(service, email)).not.toEqual([]);
			}
		});
	});
});

test('with the same values, each address is there once at the end', async () => {
	await check(alike, ({ service, outcomes }, { lost }) => {
		for (let n = 0; n < addressCount; n++) {
			const ids = withAddress(service, address(n));
			const rows = rowsAbout(outcomes, address(n)).filter(({ action }) => action !== 'failed');
			const isUnsettled = rows.some(({ reason }) => reason?.includes('Removing contact'));
			if (rows.length > 0 && !isUnsettled) expect(ids).toHaveLength(1);
			if (lost.length === 0) {
				for (const { contactId } of rows) expect(contactId).toBe(ids[0]);
			}
		}
	});
});

test('with responses that arrive, each contact was created by one run', async () => {
	const certain = situation.map((given) => ({
		...given,
		lost: [],
		byHand: [],
		runs: given.runs.map((run) => ({ ...run, isFile: run.isFile && !given.isUnique })),
	}));
	await check(certain, ({ service, outcomes }) => {
		for (let n = 0; n < addressCount; n++) {
			const rows = rowsAbout(outcomes, address(n));
			const created = rows.filter(({ action }) => action === 'created');
			expect(created).toHaveLength(rows.length > 0 ? 1 : 0);
			expect(withAddress(service, address(n))).toEqual(created.map(({ contactId }) => contactId));
		}
	});
});

test('the list is read once more by runs that created something, and for each import', async () => {
	await check(situation, ({ service }) => {
		for (const { lists, creates, files } of service.connections) {
			const isOnce = files === 0;
			// Each import is looked for twice if it is not in the list at once.
			if (isOnce) expect(lists).toBe(creates > 0 ? 2 : 1);
			else expect(lists).toBeLessThanOrEqual(5);
		}
	});
});
