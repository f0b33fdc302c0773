import fc from 'fast-check';

import { hasMarker } from '../../../nodes/EmailMarketing/features/campaigns/testSend/testList';
import { pauses } from '../faults/pauses';
import { NOW, singleSend } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { addTester, onRequest, sendTest } from './support';

jest.mock<object>('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const test = useService();
afterEach(() => jest.restoreAllMocks());

const event = fc.record({
	/** Right before which request. */
	at: fc.nat(16),
	what: fc.constantFrom(
		...(['abort', 'reset-before', 'reset-after', 'status'] as const),
		...(['addTester', 'addOther', 'rename', 'unsubscribe', 'tick'] as const),
	),
});

const situation = fc.record({
	listed: fc.uniqueArray(fc.constantFrom('a@x.com', 'b@x.com', 'c@x.com', 'ada@example.com')),
	limit: fc.integer({ min: 1, max: 3 }),
	isReal: fc.constantFrom(false, false, true),
	isExisting: fc.boolean(),
	events: fc.array(event, { maxLength: 3 }),
});

type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

/** Lets the events happen, and says who was on the test list at any time. */
function arrange({ listed, events }: Situation, abort: () => void): Set<string> {
	const { service } = test;
	const { tables, runner } = service.state;
	const testList = tables.contactTypes.add({ name: 'Newsletter test' }, NOW);
	const everListed = new Set<string>(listed);
	for (const email of listed) addTester(service.state, email);
	onRequest(service, (n) => {
		for (const { at, what } of events) {
			if (at !== n) continue;
			if (what === 'abort') abort();
			else if (what === 'addTester') {
				everListed.add(`late${n}@x.com`);
				addTester(service.state, `late${n}@x.com`);
			} else if (what === 'addOther') addTester(service.state, `real${n}@x.com`, 21);
			else if (what === 'rename') tables.contactTypes.change(testList, { name: 'Customers too' });
			else if (what === 'unsubscribe') {
				tables.globalUnsubscribes.add({ email_address: listed[0] ?? 'z@x.com' }, NOW);
			} else if (what === 'tick') runner.tick(1);
			else service.fault({ kind: what, ...(what === 'status' && { status: 503 }) });
		}
	});
	return everListed;
}

it('reaches nobody outside the test list, whatever happens between its steps', async () => {
	let sentTests = 0;
	await fc.assert(
		fc.asyncProperty(situation, async (given) => {
			const { service } = test;
			jest.restoreAllMocks();
			service.reset();
			pauses.reset();
			const { tables, runner, journal } = service.state;
			pauses.meanwhile = async () => runner.tick(1);
			const canceling = new AbortController();
			const everListed = arrange(given, () => canceling.abort());
			// The original is not what is sent in this test.
			tables.singleSends.put({ ...singleSend, status: 3 } as never);

			const { items } = await service.run(
				{
					...sendTest,
					...(given.isExisting && {
						campaign: 'existing',
						singleSendUtr: chosen(singleSend.utr),
					}),
					testContactTypeId: chosen(given.isReal ? '21' : '23'),
					maxTestRecipients: given.limit,
				},
				{ signal: canceling.signal },
			);
			runner.tick(3);

			const created = journal.entries.filter(({ path }) => path === '/single/send/create');
			expect(created.length).toBeLessThanOrEqual(1);
			if (given.isReal || given.listed.length === 0 || given.listed.length > given.limit) {
				const grown = given.listed.length === 0 && everListed.size > 0;
				if (!grown) expect(created).toEqual([]);
			}
			for (const { email, single_send_name: name, subject } of runner.mails) {
				expect(everListed).toContain(email);
				expect([name, subject].every((text) => text.startsWith('[Test] '))).toBe(true);
			}
			expect(tables.singleSends.byUtr(singleSend.utr)).toBeDefined();
			const [sent] = items;
			if (sent !== undefined) {
				sentTests++;
				const recipients = sent.json.recipients as string[];
				expect(recipients.length).toBeLessThanOrEqual(given.limit);
				expect([...everListed]).toEqual(expect.arrayContaining(recipients));
			}
		}),
		{ numRuns: 25 },
	);
	expect(sentTests).toBeGreaterThan(0);
});

it.each([
	['Test list', 'test', true],
	['newsletter-TEST', 'test', true],
	['Tests', 'test', false],
	['Latest customers', 'test', false],
	['Our QA team', 'qa team', true],
	['QA and team', 'qa team', false],
	['Customers', '!', false],
])('takes %s with the word %s for a test list: %s', (name, marker, isMarked) => {
	expect(hasMarker(name, marker)).toBe(isMarked);
});
