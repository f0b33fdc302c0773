import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import type { Fault } from '../../../sandbox/faults.ts';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { plantEverywhere } from './everywhere';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const test = useService({ segmentCounts: 'recipients' });
const EVE = 'eve@example.com';
const DAN = 'dan@example.com';
const spellings = [EVE, ' Eve@Example.COM', 'Eve <eve@example.com>', 'e\u200bve@example.com'];

/** All rows about an address, by table; kept ones of the global list and senders apart. */
function rowsOf(address: string) {
	const { tables } = test.service.state;
	const isTheirs = (field: string) => (row: object) => {
		const { [field]: email, deleted_at: deletedAt } = row as IDataObject;
		return !deletedAt && addressKey(String(email)).includes(address);
	};
	return {
		erased: [
			...tables.contacts.all().filter(isTheirs('email')),
			...tables.segmentRecipients.all().filter(isTheirs('email')),
			...tables.groupRecipients.all().filter(isTheirs('email_address')),
			...tables.notificationRecipients.all().filter(isTheirs('email_address')),
		],
		suppressed: tables.globalUnsubscribes.all().filter(isTheirs('email_address')),
		senders: tables.senders.all().filter(isTheirs('from_email')),
	};
}

/** What goes wrong: lost before or after it took effect, refused, or carried out twice. */
const fault: fc.Arbitrary<Fault> = fc
	.record({
		kind: fc.constantFrom('reset-before', 'reset-after', 'status', 'failed', 'truncated'),
		effect: fc.boolean(),
		match: fc.constantFrom({ method: 'GET' }, { method: 'POST' }, { method: 'DELETE' }, {}),
		skip: fc.nat(10),
		times: fc.integer({ min: 1, max: 3 }),
	})
	.map(({ effect, ...one }): Fault => {
		if (one.kind === 'status') return { ...one, status: 503 };
		// Carried out twice, the second time finds nothing.
		return one.kind === 'failed' ? { ...one, effect, errors: 'Record Not Found' } : one;
	});

const attempt = fc.record({
	faults: fc.array(fault, { maxLength: 4 }),
	/** Requests after which n8n is killed. */
	killedAfter: fc.option(fc.integer({ min: 1, max: 22 }), { nil: undefined }),
});

async function erase(email: string, killedAfter?: number) {
	const { journal } = test.service.state;
	const { observe } = journal;
	const controller = new AbortController();
	let requests = 0;
	journal.observe = (entry, answer) => {
		observe?.(entry, answer);
		if (++requests === killedAfter) controller.abort();
	};
	const outcome = await test.service.run(
		{
			...{ resource: 'person', operation: 'erase', dryRun: false },
			person: chosen(`={{ ${JSON.stringify(email)} }}`, 'email'),
		},
		{ signal: controller.signal },
	);
	journal.observe = observe;
	return outcome;
}

it('ends with nothing of the person but what is kept on purpose, whatever fails in between', async () => {
	let failures = 0;
	const account = fc.record({
		asked: fc.constantFrom(...spellings),
		stored: fc.constantFrom(...spellings),
		missing: fc.subarray(['contacts', 'segmentRecipients', 'globalUnsubscribes'] as const),
		deletes: fc.constantFrom('gone' as const, 'kept' as const),
	});
	await fc.assert(
		fc.asyncProperty(account, fc.array(attempt, { maxLength: 4 }), async (given, attempts) => {
			const { service } = test;
			service.reset();
			const { tables, settings, faults } = service.state;
			plantEverywhere(tables, given.stored);
			plantEverywhere(tables, DAN, 100);
			const ids = { contacts: 7, segmentRecipients: 8, globalUnsubscribes: 10 };
			for (const name of given.missing) tables[name].remove(ids[name]);
			settings.deletes = given.deletes;
			const before = rowsOf(EVE).erased.length;
			const bystander = rowsOf(DAN);

			for (const { faults: those, killedAfter } of attempts) {
				for (const one of those) service.fault(one);
				const { items, error } = await erase(given.asked, killedAfter);
				const now = rowsOf(EVE);
				if (now.erased.length < before) expect(now.suppressed).not.toEqual([]);
				if (items.length > 0) expect([items[0]?.json.isComplete, now.erased]).toEqual([true, []]);
				if (error) failures++;
				expect(rowsOf(DAN)).toEqual(bystander);
			}
			faults.clear();
			const { items, error } = await erase(given.asked);
			expect(error).toBeUndefined();
			const { erased, suppressed, senders } = rowsOf(EVE);
			expect([erased, senders.length, suppressed.length > 0]).toEqual([[], 1, true]);
			expect(items[0]?.json).toMatchObject({ isComplete: true, open: 0 });
			expect(rowsOf(DAN)).toEqual(bystander);
			expect(service.violations()).toEqual([]);
		}),
		{ numRuns: 8 },
	);
	expect(failures).toBeGreaterThan(1);
});
