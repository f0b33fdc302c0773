import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { NOW } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';
import { fresh } from './support';

const test = useService({ segmentCounts: 'recipients' });

const target = fc.constantFrom(
	...['contacts_21', 'contacts_22', 'contacts_23', 'segments_301', 'contacts_99', 'segments_98'],
);
const address = fc.constantFrom('ada@example.com', 'ADA@example.com', 'ben@example.com', 'c@x.com');

/** What an account holds besides the records of every test. */
const state = fc.record({
	contacts: fc.array(fc.tuple(fc.constantFrom(21, 22, 23), address), { maxLength: 4 }),
	unsubscribed: fc.array(address, { maxLength: 3 }),
	inGroup: fc.array(address, { maxLength: 3 }),
	isVerified: fc.boolean(),
});

type State = typeof state extends fc.Arbitrary<infer T> ? T : never;

/** What is entered. */
const input = fc.record({
	senderId: fc.constantFrom('81', '81', '82', '99').map((id) => chosen(id)),
	unsubscribeGroupId: fc.constantFrom('51', '51', '99').map((id) => chosen(id)),
	recipientId: fc.uniqueArray(target, { minLength: 1, maxLength: 3 }),
	excludeSpecificRecipientId: fc.uniqueArray(target, { maxLength: 2 }),
	templateId: fc.constantFrom('2', '2', '1', '99').map((id) => chosen(id)),
	subject: fc.constantFrom('Hello', 'Hello ((first_name))', 'Hello ((nick))'),
	scheduleType: fc.constantFrom('immediately', 'scheduled'),
	scheduleAt: fc.constantFrom('2020-01-01T09:00:00', '2099-01-01T09:00:00'),
});

function plant(given: State) {
	const { contacts, unsubscribed, inGroup, isVerified } = given;
	const { tables } = test.service.state;
	const from_email = 'new@example.com';
	tables.senders.add({ nickname: 'New', from_email, is_verified: Number(isVerified) }, NOW);
	tables.contactTypes.add({ name: 'Nobody yet' }, NOW);
	for (const [contact_type_id, email] of contacts) {
		tables.contacts.add({ contact_type_id, email, country: 85 }, NOW);
	}
	for (const email_address of unsubscribed) tables.globalUnsubscribes.add({ email_address }, NOW);
	for (const email_address of inGroup) {
		tables.groupRecipients.add({ unsubscribe_groups_id: 51, email_address }, NOW);
	}
}

const textsOf = ({ findings }: IDataObject): string[] =>
	(findings as IDataObject[]).map(({ text, remedy }) => `${String(text)}. ${String(remedy)}`);

/** The two runs may lie in different minutes. */
const timeless = (text: string) => text.replace(/(current time in \S+ is) [\d-]+ [\d:]+/g, '$1 …');

it('only reads, and finds what creating the campaign would refuse', async () => {
	await fc.assert(
		fc.asyncProperty(state, input, async (given, entered) => {
			const { service } = test;
			service.reset();
			plant(given);
			const timezone = chosen('Europe/Berlin', 'name');
			const parameters = { resource: 'singleSend', ...fresh, ...entered, timezone };
			const check = { ...parameters, operation: 'check', campaign: 'new' };
			const { items, error } = await service.run(check);
			expect(error).toBeUndefined();
			expect(service.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
			const json = items[0]?.json ?? {};
			const texts = textsOf(json);
			expect(json.canSend).toBe(texts.length === 0);

			const create = { operation: 'create', ifNameExists: 'create', options: { preflight: true } };
			const { error: refusal } = await service.run({ ...parameters, ...create });
			if (refusal === undefined) {
				// Counts alone do not show that duplicates hide that nobody is left.
				expect(texts.filter((text) => !/everyone in/.test(text))).toEqual([]);
				expect(texts.length === 0 || json.audienceCount === 0).toBe(true);
				return;
			}
			expect(json.canSend).toBe(false);
			const description = timeless(refusal.description ?? '');
			const said = `${timeless(refusal.message)}. ${description}`.split(' To go ahead')[0];
			const found = texts.map(timeless);
			if (found.length === 1) expect(said).toBe(found[0]);
			else {
				const extra = found.filter((text) => !description.includes(text));
				expect(extra.filter((text) => !/everyone in/.test(text))).toEqual([]);
			}
		}),
		{ numRuns: 20 },
	);
});
