import type { IDataObject } from 'n8n-workflow';

import { singleSend } from '../records';
import { chosen } from '../rows';
import { options, useChecks } from './support';

const { test, check } = useChecks();

it('an update takes no placeholder that n8n evaluates', async () => {
	const { service } = test;
	const { error } = await service.run({
		...{ resource: 'singleSend', operation: 'update', singleSendUtr: chosen(singleSend.utr) },
		updateFields: { subject: '=Hi {{first_name}}' },
	});
	expect(error?.message).toMatch(/^"Subject" contains \{\{first_name\}\}/);
	expect(service.calls()).toEqual([]);
});

describe('before a campaign is updated', () => {
	const update = (updateFields: IDataObject) => ({
		resource: 'singleSend',
		operation: 'update',
		singleSendUtr: chosen(singleSend.utr),
		updateFields,
		options,
	});

	it('looks at what it keeps as well', async () => {
		const { tables } = test.service.state;
		expect((await check(update({ subject: 'New' }))).writes).toEqual(['POST /single/send/update']);
		tables.senders.remove(81);
		expect((await check(update({ subject: 'New' }))).message).toBe('"Sender" does not exist: 81');
	});

	it('looks at a time that it keeps, such as that of a copy: it may have passed in every time zone', async () => {
		const hoursAgo = (hours: number): IDataObject => {
			const at = new Date(Date.now() - hours * 3_600_000).toISOString();
			return { schedule_date: at.slice(0, 10), schedule_time: at.slice(11, 19) };
		};
		const keeping = async (kept: IDataObject, rest: IDataObject = {}) => {
			test.service.state.tables.singleSends.put({ ...singleSend, ...kept } as never);
			const given = update({ subject: 'New' });
			return await check({ ...given, options: { ...options, ...rest } });
		};
		const writes = ['POST /single/send/update'];
		expect(await keeping(hoursAgo(13))).toMatchObject({
			message: expect.stringMatching(/^"Send At" is not in the future: /) as string,
			writes: [],
		});
		test.service.reset();
		// In the west it is still to come.
		expect(await keeping(hoursAgo(11))).toMatchObject({ message: undefined, writes });
		test.service.reset();
		expect(
			await keeping({ ...hoursAgo(13), status: 3 }, { allowSendingAgain: true }),
		).toMatchObject({ message: undefined, writes });
	});

	it('takes nothing for there that the service lists as deleted', async () => {
		const { tables } = test.service.state;
		const deleted_at = '2026-01-01T00:00:00Z';
		Object.assign(tables.senders.get(81) ?? {}, { deleted_at });
		Object.assign(tables.contactTypes.get(21) ?? {}, { deleted_at });
		const { description } = await check(update({ subject: 'New' }));
		expect(description).toContain('"Sender" does not exist: 81');
		expect(description).toContain('do not exist: contacts_21');
	});

	it('looks at the time that it sets', async () => {
		const { message } = await check(update({ scheduleAt: '2020-01-01T09:00:00' }));
		expect(message).toMatch(
			/^"Send At" is not in the future: 2020-01-01 09:00 \(the current time in Europe\/Berlin/,
		);
	});
});
