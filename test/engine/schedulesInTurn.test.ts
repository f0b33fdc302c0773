import { automation, sender } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

const subjects = ['Hello', 'Our roasts', 'A voucher', 'Still there?'];

it('adds the emails of an automation in the order of the items, also where one is sent again', async () => {
	const { service } = test;
	service.fault({
		kind: 'status',
		status: 503,
		headers: { 'retry-after': '0' },
		body: { status: 'failed', errors: 'Busy' },
		match: { path: '/automations/schedule/create' },
	});
	const { error, items } = await service.run(
		{
			resource: 'automationSchedule',
			operation: 'create',
			automationUtr: chosen(automation.utr, 'utr'),
			senderId: chosen(sender.id, 'id'),
			subject: '={{ $json.subject }}',
			waitingType: 'days',
			waitingPeriod: 2,
			templateSource: 'html',
			templateHtml: '<p>Hello</p>',
			previewImg: 'preview.png',
		},
		{ items: subjects.map((subject) => ({ json: { subject } })) },
	);
	expect(error).toBeUndefined();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		subjects.map((_subject, item) => ({ item })),
	);
	const added = service.state.tables.automationSchedules
		.all()
		.filter(({ subject }) => subjects.includes(subject))
		.sort((a, b) => a.id - b.id);
	expect(added.map(({ subject }) => subject)).toEqual(subjects);
});
