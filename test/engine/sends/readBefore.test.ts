import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Entry } from '../../../sandbox/journal.ts';
import { contact, NOW, otherContact, singleSend } from '../records';
import { chosen } from '../rows';
import { useService } from '../sandbox';

const test = useService();

const secondSend = { ...singleSend, id: 502, utr: '55555555-5555-4555-8555-555555555555' };
beforeEach(() => void test.service.state.tables.singleSends.add(secondSend, NOW));

/** Records that items update, with two fields of each. */
const kinds = [
	{
		reads: '/single-send/details',
		writes: '/single/send/update',
		id: 'utr',
		ids: [singleSend.utr, secondSend.utr],
		parameters: {
			resource: 'singleSend',
			singleSendUtr: chosen('={{ $json.id }}', 'utr'),
			updateFields: { subject: '={{ $json.one }}', preheader: '={{ $json.other }}' },
		},
		row: (id: string) => test.service.state.tables.singleSends.byUtr(id),
		fields: ['subject', 'preheader'],
	},
	{
		reads: '/contacts/details',
		writes: '/contacts/update',
		id: 'contact_id',
		ids: [String(contact.id), String(otherContact.id)],
		parameters: {
			resource: 'contact',
			contactId: chosen('={{ $json.id }}', 'id'),
			fields: {
				mappingMode: 'defineBelow',
				value: { last_name: '={{ $json.one }}', city: '={{ $json.other }}' },
			},
		},
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

it.each(kinds)('nothing is written to $writes without a read directly before', async (kind) => {
	const { reads, writes, id, ids, parameters, row, fields } = kind;
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
			const { error } = await service.run(
				{ ...parameters, operation: 'update', options: { parallelRequests } },
				{
					items: given.map(({ which, isOne, value }) => ({
						json: { id: ids[which], ...(isOne ? { one: value } : { other: value }) },
					})),
				},
			);
			expect(error).toBeUndefined();
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
	const update = async (json: IDataObject) =>
		await test.service.run(
			{ ...parameters, operation: 'update' },
			{ items: [{ json: { id: ids[0], ...json } }] },
		);
	await Promise.all([update({ one: 'First' }), update({ other: 'Second' })]);
	expect(row(ids[0] ?? '')).toMatchObject({
		[fields[0] ?? '']: 'First',
		[fields[1] ?? '']: 'Second',
	});
});
