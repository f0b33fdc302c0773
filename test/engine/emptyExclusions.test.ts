import { singleSend } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

/** As for the recipients. An empty array still excludes nobody, on purpose. */
it.each(['={{ $json.exclude }}', '={{ $json.none }}'])(
	'campaign-exclude: a campaign is not updated without exclusions that were meant: %s',
	async (excludeSpecificRecipientId) => {
		const { service } = test;
		service.state.tables.singleSends.put({ ...singleSend, exclude_specific_recipient_id: [] });
		const { error } = await service.run(
			{
				...{ resource: 'singleSend', operation: 'update' },
				singleSendUtr: chosen(singleSend.utr, 'utr'),
				updateFields: { recipientId: ['contacts_21'], excludeSpecificRecipientId },
			},
			{ items: [{ json: { exclude: '' } }] },
		);
		expect(service.calls()).not.toContain('POST /single/send/update');
		expect(error?.message).toContain('"Exclude Names or IDs"');
	},
);
