import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { NOW, otherAutomation } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';

const test = useService();

const mostly = <T>(value: T) => ({ arbitrary: fc.constant(value), weight: 5 });

/** An automation, and what its account holds besides the records of every test. */
const situation = fc.record({
	target: fc.oneof(
		mostly<[string, string]>(['21', 'contacts_']),
		mostly<[string, string]>(['301', 'segments_']),
		fc.constantFrom(['99', 'contacts_'], ['98', 'segments_'], ['0', 'contacts_']),
	),
	unsubscribe_group_id: fc.oneof(mostly('51'), fc.constantFrom('99', '0', '')),
	emails: fc.array(
		fc.record({
			sender_id: fc.oneof(mostly(81), fc.constantFrom(82, 99)),
			subject: fc.oneof(mostly('Hello ((first_name))'), fc.constant('Hello ((nick))')),
			template_html: fc.oneof(mostly('<p>((company))</p>'), fc.constant('<p>((who))</p>')),
		}),
		{ maxLength: 3 },
	),
	isVerified: fc.boolean(),
	isThere: fc.oneof(mostly(true), fc.constant(false)),
});

type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

function plant({ target, unsubscribe_group_id, emails, isVerified }: Situation) {
	const { tables } = test.service.state;
	const from_email = 'new@example.com';
	tables.senders.add({ nickname: 'New', from_email, is_verified: Number(isVerified) }, NOW);
	const [id, automation_for_table] = target;
	tables.automations.put({
		...{ ...otherAutomation, automation_for: Number(id), automation_for_table },
		unsubscribe_group_id,
	} as never);
	for (const email of emails) {
		tables.automationSchedules.add({ automation_id: otherAutomation.id, ...email }, NOW);
	}
}

const textsOf = ({ findings }: IDataObject): string[] =>
	(findings as IDataObject[])
		.filter(({ severity }) => severity === 'problem')
		.map(({ text, remedy }) => `${String(text)}. ${String(remedy)}`);

it('only reads, and finds what setting the automation live would refuse', async () => {
	const seen = { ready: 0, refused: 0 };
	await fc.assert(
		fc.asyncProperty(situation, async (given) => {
			const { service } = test;
			service.reset();
			plant(given);
			const automationUtr = chosen(given.isThere ? otherAutomation.utr : 'none', 'utr');
			const parameters = { resource: 'automation', automationUtr };
			const { items, error } = await service.run({ ...parameters, operation: 'check' });
			expect(error).toBeUndefined();
			const writes = /set-live|pause|duplicate/;
			expect(
				service.journal.filter(({ method, path }) => method !== 'GET' || writes.test(path)),
			).toEqual([]);
			const json = items[0]?.json ?? {};
			const texts = textsOf(json);
			expect(json.canSend).toBe(texts.length === 0);

			const { error: refusal } = await service.run({
				...{ ...parameters, operation: 'setLive', options: { preflight: true } },
			});
			expect(json.canSend).toBe(refusal === undefined);
			seen[refusal === undefined ? 'ready' : 'refused']++;
			if (refusal === undefined) return;
			const said = `${refusal.message}. ${refusal.description ?? ''}`.split(
				/ (?:To go ahead|Nothing was changed)/,
			)[0];
			if (texts.length === 1) expect(said).toBe(texts[0]);
			else expect(texts.filter((text) => !refusal.description?.includes(text))).toEqual([]);
		}),
		{ numRuns: 20 },
	);
	expect(Math.min(seen.ready, seen.refused)).toBeGreaterThan(0);
});
