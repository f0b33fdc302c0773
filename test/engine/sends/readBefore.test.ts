import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../../../sandbox/journal.ts';
import { contact, NOW, otherContact, singleSend } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';

const test = useService();

const secondSend = { ...singleSend, id: 502, utr: '55555555-5555-4555-8555-555555555555' };
beforeEach(() => void test.service.state.tables.singleSends.add(secondSend, NOW));

type Given = 'one' | 'other';

/** The fields that are given, each with an expression. */
const expressions = (fields: Record<Given, string>, given: Given[]): IDataObject =>
	Object.fromEntries(given.map((key) => [fields[key], `={{ $json.${key} }}`]));

/** Records that items update, with two fields of each. Those of a campaign must not be empty for any item of a run. */
const kinds = [
	{
		reads: '/single-send/details',
		writes: '/single/send/update',
		id: 'utr',
		ids: [singleSend.utr, secondSend.utr],
		parameters: (given: Given[]) => ({
			resource: 'singleSend',
			singleSendUtr: chosen('={{ $json.id }}', 'utr'),
			updateFields: expressions({ one: 'subject', other: 'preheader' }, given),
		}),
		mayBeEmpty: false,
		row: (id: string) => test.service.state.tables.singleSends.byUtr(id),
		fields: ['subject', 'preheader'],
	},
	{
		reads: '/contacts/details',
		writes: '/contacts/update',
		id: 'contact_id',
		ids: [String(contact.id), String(otherContact.id)],
		parameters: (given: Given[]) => ({
			resource: 'contact',
			contactId: chosen('={{ $json.id }}', 'id'),
			fields: {
				mappingMode: 'defineBelow',
				value: expressions({ one: 'last_name', other: 'city' }, given),
			},
		}),
		mayBeEmpty: true,
		row: (id: string) => test.service.state.tables.contacts.get(Number(id)),
		fields: ['last_name', 'city'],
	},
];

const entry = fc.record({
	which: fc.nat({ max: 1 }),
	isOne: fc.boolean(),
	value: fc.stringMatching(/^[A-Z][a-z]{1,6}$/),
});

const items = fc.array(entry, { minLength: 1, maxLength: 6 });
const givenIn = ({ isOne }: { isOne: boolean }): Given => (isOne ? 'one' : 'other');

/** Items one after the other in runs, each of which gives the same fields for all of its items. */
function inRuns<One extends { isOne: boolean }>(all: One[], mayBeEmpty: boolean) {
	if (mayBeEmpty) return [{ entries: all, given: ['one', 'other'] as Given[] }];
	const runs: Array<{ entries: One[]; given: Given[] }> = [];
	for (const one of all) {
		const last = runs.at(-1);
		if (last?.given[0] === givenIn(one)) last.entries.push(one);
		else runs.push({ entries: [one], given: [givenIn(one)] });
	}
	return runs;
}

it.each(kinds)('nothing is written to $writes without a read directly before', async (kind) => {
	const { reads, writes, id, ids, parameters, mayBeEmpty, row, fields } = kind;
	const idOf = ({ query, body }: Entry) => String(body?.[id] ?? query[id]);
	await fc.assert(
		fc.asyncProperty(items, fc.constantFrom(1, 4), async (given, parallelRequests) => {
			const { service } = test;
			service.reset();
			service.state.tables.singleSends.add(secondSend, NOW);
			const expected = ids.map((one) => ({ ...row(one) }) as IDataObject);
			for (const { which, isOne, value } of given) {
				Object.assign(expected[which] ?? {}, { [fields[isOne ? 0 : 1] ?? '']: value });
			}
			for (const { entries, given: keys } of inRuns(given, mayBeEmpty)) {
				const { error } = await service.run(
					{ ...parameters(keys), operation: 'update', options: { parallelRequests } },
					{
						items: entries.map(({ which, isOne, value }) => ({
							json: { id: ids[which], [givenIn({ isOne })]: value },
						})),
					},
				);
				expect(error).toBeUndefined();
			}
			for (const [index, write] of service.journal.entries()) {
				if (write.path !== writes) continue;
				const before = service.journal.slice(0, index);
				const last =
					parallelRequests === 1
						? before.at(-1)
						: before.findLast((one) => idOf(one) === idOf(write));
				expect([last?.path, last && idOf(last)]).toEqual([reads, idOf(write)]);
			}
			expect(service.journal.filter(({ path }) => path === writes)).toHaveLength(given.length);
			const stored = ids.map((one) => row(one) as IDataObject | undefined);
			const texts = (one?: IDataObject) => fields.map((field) => one?.[field]);
			expect(stored.map(texts)).toEqual(expected.map(texts));
		}),
		{ numRuns: 25 },
	);
});

it.each(kinds)('executions that overlap keep what the other has set: $writes', async (kind) => {
	const { ids, parameters, row, fields } = kind;
	const update = async (given: Given, value: string) =>
		await test.service.run(
			{ ...parameters([given]), operation: 'update' },
			{ items: [{ json: { id: ids[0], [given]: value } }] },
		);
	await Promise.all([update('one', 'First'), update('other', 'Second')]);
	expect(row(ids[0] ?? '')).toMatchObject({
		[fields[0] ?? '']: 'First',
		[fields[1] ?? '']: 'Second',
	});
});
