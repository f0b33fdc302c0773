import type { INodeParameters } from 'n8n-workflow';
import { chosen } from '../engine/rows.ts';
import type { TestN8n } from '../n8n/test-n8n.ts';
import { eventually, type Editor } from '../browser/editor.ts';
import { demoN8n, openAction, openEditorAsOwner, sandbox } from '../browser/harness.ts';

let editor: Editor;
let n8n: TestN8n;

beforeAll(async () => {
	editor = await openEditorAsOwner();
	n8n = await demoN8n();
});

/** Chooses the first record that a locator offers. */
async function pickFirst(name: string): Promise<void> {
	await (await editor.searchList(name)).first().click();
	await isChosen(name, true);
}

const isChosen = async (name: string, expected: boolean) =>
	await eventually(
		async () => await editor.picked(name).inputValue(),
		(shown) => (shown !== '') === expected,
	);

describe('another parent empties what was chosen within the one before', () => {
	test.each([
		{
			resource: 'segment',
			operation: 'deleteRecipient',
			parent: { field: 'segmentId', table: 'segments', name: 'segment_name' },
			child: { field: 'segmentRecipientId', table: 'segmentRecipients', key: 'segment_id' },
		},
		{
			resource: 'unsubscribeGroup',
			operation: 'deleteRecipient',
			parent: { field: 'unsubscribeGroupId', table: 'unsubscribeGroups', name: 'group_name' },
			child: { field: 'groupRecipientId', table: 'groupRecipients', key: 'unsubscribe_groups_id' },
		},
		{
			resource: 'automationSchedule',
			operation: 'delete',
			parent: { field: 'automationUtr', table: 'automations', name: 'automation_name' },
			child: {
				field: 'automationScheduleUtr',
				table: 'automationSchedules',
				key: 'automation_id',
			},
		},
	] as const)('$resource, $operation', async ({ resource, operation, parent, child }) => {
		const read = async (table: typeof parent.table | typeof child.table) =>
			(await sandbox.records(table)) as unknown as Array<Record<string, unknown>>;
		const [parents, children] = [await read(parent.table), await read(child.table)];
		const first = parents.find(({ id }) => id === children[0]?.[child.key]);
		const other = parents.find((record) => record[parent.name] !== first?.[parent.name]);
		await openAction(editor, n8n, { resource, operation });
		await editor.pick(parent.field, String(first?.[parent.name]));
		await pickFirst(child.field);
		await editor.pick(parent.field, String(other?.[parent.name]));
		await isChosen(child.field, false);
	});

	const inGermany = { countryId: chosen('85'), stateId: chosen('1001'), cityId: chosen('5001') };
	test.each<[string, INodeParameters]>([
		['a new sender', { operation: 'create', ...inGermany }],
		['an update of a sender', { operation: 'update', updateFields: inGermany }],
	])('%s', async (_name, parameters) => {
		await openAction(editor, n8n, { resource: 'sender', ...parameters });
		await editor.pick('countryId', 'Germany');
		await editor.pick('countryId', 'India');
		await isChosen('stateId', false);
		await isChosen('cityId', false);
		await editor.pick('stateId', 'Karnataka');
		await pickFirst('cityId');
		await editor.pick('stateId', 'Kerala');
		await isChosen('cityId', false);
	});
});

test('a new node offers recipients once the sender is chosen', async () => {
	await editor.open('/workflow/new');
	await editor.addNode('Trigger manually');
	const found = await editor.searchNodes('campaign');
	await found.filter({ hasText: /^Email Marketing$/ }).click();
	await editor
		.get('node-creator-item-name', /^Create and send (a )?campaign/)
		.first()
		.click();
	await editor.get('node-parameters').waitFor();
	await editor.pick('senderId', 'Main sender');
	for (const field of ['recipientId', 'excludeSpecificRecipientId']) {
		const failed = editor
			.get(`parameter-input-${field}`)
			.locator('input[value^="Error fetching options"]');
		await failed.waitFor({ state: 'detached' });
	}
	await editor.choose('recipientId', 'Newsletter subscribers');
});
