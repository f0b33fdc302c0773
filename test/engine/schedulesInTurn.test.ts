import { otherAutomation as automation, NOW, sender, template } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

const create = {
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
};

const subjects = ['Hello', 'Our roasts', 'A voucher', 'Still there?'];

it('adds the emails of an automation in the order of the items, also where n8n runs the node again', async () => {
	const { service } = test;
	service.fault({
		kind: 'status',
		status: 503,
		headers: { 'retry-after': '0' },
		body: { status: 'failed', errors: 'Busy' },
		match: { path: '/automations/schedule/create' },
	});
	const { error, items } = await service.run(create, {
		items: subjects.map((subject) => ({ json: { subject } })),
		node: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
	});
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

it('adds no email after a later one where n8n runs the node again', async () => {
	const { service } = test;
	const match = { path: '/automations/schedule/create' };
	service.fault({ kind: 'failed', match, errors: 'Not now' });
	const node = {
		...{ retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		onError: 'continueErrorOutput' as const,
	};
	const items = subjects.map((subject) => ({ json: { subject } }));
	const { failed, items: added } = await service.run(create, { items, node });
	expect(added).toHaveLength(3);
	const message = 'A later item (item 3) has already written the same record, or may have [item 0]';
	expect(failed).toMatchObject([{ json: { error: { message } } }]);
	expect(service.calls().filter((call) => call.endsWith('schedule/create'))).toHaveLength(4);
});

it('adds no email if one item is not valid', async () => {
	const { service } = test;
	const items = [{ json: { subject: 'One' } }, { json: {} }];
	const { error } = await service.run(create, { items });
	expect(error?.message).toBe('"Subject" is required but empty [item 1]');
	expect(service.calls()).toEqual([]);
});

it('adds no email if the template of one item has no preview image', async () => {
	const { service } = test;
	service.state.tables.templates.add({ ...template, id: 3, preview_image: '' } as never, NOW);
	const { error } = await service.run(
		{
			...create,
			...{ subject: 'Hello', templateSource: 'template', previewImg: '' },
			templateId: { __rl: true, mode: 'id', value: '={{ $json.template }}' },
		},
		{ items: [{ json: { template: template.id } }, { json: { template: 3 } }] },
	);
	expect(error?.message).toBe('"Preview Image" is required but empty [item 1]');
	expect(error?.description).toContain('The template has no image. Enter the file name of one');
	expect(service.calls()).toEqual(['GET /get-design/template']);
});
