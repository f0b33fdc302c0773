import type { IDataObject } from 'n8n-workflow';

import { uuidFrom } from '../../sandbox/format.ts';
import { NOW, singleSend } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

const list = 'GET /single-send/list';
const sent = 'POST /single/send/duplicate';
const copy = (id: number) => uuidFrom(`single send ${id}`);
const goOn = { onError: 'continueErrorOutput' as const };

/** Another single send of the service. */
const other = (name: string, values: object = {}): string => {
	const { id: _id, utr: _utr, ...record } = singleSend;
	return test.service.state.tables.singleSends.add(
		{ ...record, single_send_name: name, ...values },
		NOW,
	).utr;
};

const duplicate: IDataObject = {
	resource: 'singleSend',
	operation: 'duplicate',
	singleSendUtr: chosen('={{ $json.utr }}', 'utr'),
	options: { allowSendingAgain: true, parallelRequests: 5, retryTemporaryFailures: false },
};

async function run(utrs: string[], rest = {}, parameters: IDataObject = {}) {
	const { items, error } = await test.service.run(
		{ ...duplicate, ...parameters },
		{
			items: utrs.map((utr) => ({ json: { utr } })),
			...rest,
		},
	);
	expect(error).toBeUndefined();
	expect(test.service.violations()).toEqual([]);
	return items.map(({ json }) => json);
}

const duplicated = (sourceUtr: string, more: IDataObject) => ({
	duplicated: true,
	sourceUtr,
	message: 'Duplicated Successfully',
	...more,
});
const none = 'The UTR of the copy is unknown: no new campaign in the list resembles the original';
const several =
	'The UTR of the copy is unknown: several new campaigns in the list could be the copy';

it('names the copies of several campaigns, with the list read twice', async () => {
	const utrs = ['A', 'B', 'C', 'D'].map((name) => other(name, { subject: `About ${name}` }));
	const items = await run(utrs);
	expect(items).toEqual(utrs.map((utr) => duplicated(utr, { utr: expect.any(String) as string })));
	const subjects = items.map(
		({ utr }) => test.service.state.tables.singleSends.byUtr(String(utr))?.subject,
	);
	expect(subjects).toEqual(['About A', 'About B', 'About C', 'About D']);
	expect(test.service.calls()).toEqual([list, sent, sent, sent, sent, list]);
});

it('names two copies of the same campaign once each', async () => {
	const items = await run([singleSend.utr, singleSend.utr]);
	expect(items).toEqual([502, 503].map((id) => duplicated(singleSend.utr, { utr: copy(id) })));
});

it('names the copy of a campaign whose UTR was entered in another letter case', async () => {
	const utr = 'abababab-abab-4bab-8bab-abababababab';
	const { singleSends } = test.service.state.tables;
	singleSends.add({ ...singleSend, id: 700, utr, subject: 'Other' }, NOW);
	const find = singleSends.byUtr.bind(singleSends);
	jest.spyOn(singleSends, 'byUtr').mockImplementation((one) => find(one.toLowerCase()));
	const utrs = [utr.toUpperCase(), utr];
	const items = await run(utrs);
	jest.restoreAllMocks();
	expect(items).toEqual(utrs.map((one, index) => duplicated(one, { utr: copy(701 + index) })));
});

it('names the copy that a first try of the node made before it stopped', async () => {
	const second = other('B', { subject: 'Other' });
	const match = { path: '/single/send/duplicate' };
	test.service.fault({ kind: 'status', status: 429, match, skip: 1 });
	const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 };
	const parameters = { options: { ...Object(duplicate.options), parallelRequests: 1 } };
	const items = await run([singleSend.utr, second], { node }, parameters);
	expect(items).toEqual([
		duplicated(singleSend.utr, { utr: copy(503) }),
		duplicated(second, { utr: copy(504) }),
	]);
	expect(test.service.calls()).toEqual([list, sent, sent, list, list, sent, list]);
});

it('names no copy where two originals have the same content', async () => {
	const twin = other('Twin');
	const different = other('Different', { subject: 'Other' });
	const items = await run([singleSend.utr, twin, different]);
	expect(items).toEqual([
		duplicated(singleSend.utr, { note: several }),
		duplicated(twin, { note: several }),
		duplicated(different, { utr: expect.any(String) as string }),
	]);
});

it('names no copy where another of the same content was made meanwhile', async () => {
	const add = jest.spyOn(test.service.state.tables.singleSends, 'put');
	add.mockImplementationOnce((row) => {
		add.mockRestore();
		other('Made by somebody else');
		return test.service.state.tables.singleSends.put({ ...row, id: 900 });
	});
	expect(await run([singleSend.utr])).toEqual([duplicated(singleSend.utr, { note: several })]);
});

it.each([
	['a name and a subject of its own', 'Quite', { subject: 'something else' }],
	['the name of the original', `Re: ${singleSend.single_send_name}`, { subject: 'something else' }],
	['the subject of the original', 'Reply', { template_id: 1 }],
])('names no new record with %s, while the copy is not listed', async (_name, name, values) => {
	const add = jest.spyOn(test.service.state.tables.singleSends, 'put');
	add.mockImplementationOnce(() => {
		add.mockRestore();
		return other(name, values);
	});
	expect(await run([singleSend.utr])).toEqual([duplicated(singleSend.utr, { note: none })]);
});

it.each([0, 1])('does not fail where the list cannot be read (%d before)', async (skip) => {
	test.service.fault({ kind: 'status', status: 500, match: { path: '/single-send/list' }, skip });
	expect(await run([singleSend.utr])).toEqual([
		duplicated(singleSend.utr, {
			note: 'The UTR of the copy is unknown: the list could not be read. The service is temporarily unavailable (HTTP 500)',
		}),
	]);
	expect(test.service.calls()).toEqual(skip === 0 ? [list, sent] : [list, sent, list]);
});

it('names the copies of the items that succeed when the node goes on past failures', async () => {
	const items = await run(['none', singleSend.utr], { node: goOn });
	expect(items).toEqual([duplicated(singleSend.utr, { utr: copy(502) })]);
});

it('names no wrong copy where a tool duplicates one item after another', async () => {
	const utrs = ['A', 'B'].map((name) => other(name, { subject: `About ${name}` }));
	const items = await run(utrs, { type: 'emailMarketingRouted' });
	const { singleSends } = test.service.state.tables;
	for (const [position, { utr }] of items.entries()) {
		if (utr === undefined) continue;
		expect(singleSends.byUtr(String(utr))?.subject).toBe(`About ${'AB'[position]}`);
	}
	expect(items.map(({ sourceUtr }) => sourceUtr)).toEqual(utrs);
	expect(items.every(({ utr, note }) => (utr === undefined) !== (note === undefined))).toBe(true);
});
