import type { INodeParameters } from 'n8n-workflow';
import type { TableName } from '../../sandbox/model.ts';

/** The records of the sandbox's demo account. */
export type Demo = Record<TableName, Array<{ id: number; utr?: string }>>;

/** One step of a workflow: the operation and its parameters. */
export type Step = [operation: string, parameters?: INodeParameters];

const locator = (mode: string, value: unknown) => ({ __rl: true, mode, value: String(value) });
const byId = (value: unknown) => locator('id', value);
const byUtr = (value: unknown) => locator('utr', value);
const fields = (value: Record<string, string>) => ({
	mappingMode: 'defineBelow',
	value,
	matchingColumns: [],
	schema: [],
});

/** Every operation that is one endpoint, by resource, in an order in which a workflow can do them. */
export function operations(demo: Demo): Record<string, Step[]> {
	const record = (table: TableName, index = 0) => {
		const found = demo[table].at(index);
		if (!found) throw new Error(`The demo account has no record ${index} of ${table}`);
		return found;
	};
	const id = (table: TableName, index = 0) => byId(record(table, index).id);
	const utr = (table: TableName, index = 0) => byUtr(record(table, index).utr);
	const ids = (table: TableName, index: number) => [record(table, index).id];
	const audience = `contacts_${record('contactTypes').id}`;

	return {
		automation: [
			['getAll'],
			[
				'create',
				{
					automationName: 'Series',
					automationFor: byId(audience),
					unsubscribeGroupId: id('unsubscribeGroups'),
				},
			],
			['get', { automationUtr: utr('automations') }],
			['getReport', { automationUtr: utr('automations') }],
			['pause', { automationUtr: utr('automations') }],
			['setLive', { automationUtr: utr('automations') }],
			['duplicate', { automationUtr: utr('automations'), options: { allowLive: true } }],
			['delete', { automationUtr: utr('automations', 1) }],
			['deleteMany', { automationIds: ids('automations', 2) }],
		],
		automationSchedule: [
			['getAll', { automationUtr: utr('automations') }],
			[
				'create',
				{
					automationUtr: utr('automations'),
					senderId: id('senders'),
					subject: 'Day two',
					waitingType: 'days',
					waitingPeriod: 2,
					templateSource: 'html',
					templateHtml: '<p>Hello</p>',
					options: { allowLive: true },
				},
			],
			['delete', { automationScheduleUtr: utr('automationSchedules') }],
		],
		contact: [
			['importCsv', { contactTypeId: id('contactTypes'), binaryPropertyName: 'data' }],
			[
				'create',
				{
					contactTypeId: id('contactTypes'),
					fields: fields({ email: 'new@example.com', country: '85' }),
				},
			],
			['getAll'],
			['get', { contactId: id('contacts') }],
			['update', { contactId: id('contacts'), fields: fields({ first_name: 'Renamed' }) }],
			['getCsvSample', { binaryPropertyName: 'data' }],
			['delete', { contactId: id('contacts', 1) }],
			['deleteMany', { contactIds: ids('contacts', 2) }],
		],
		contactType: [
			['create', { name: 'Wholesale' }],
			['getAll'],
			['get', { contactTypeId: id('contactTypes') }],
			['update', { contactTypeId: id('contactTypes'), name: 'Renamed' }],
			['delete', { contactTypeId: id('contactTypes', -1) }],
		],
		customField: [
			['getReserved'],
			['create', { fieldName: 'shoe_size', fieldType: 'number' }],
			['getAll'],
			['delete', { customFieldId: id('customFields') }],
		],
		designTemplate: [['getAll'], ['getDynamicContent']],
		globalUnsubscribe: [
			['add', { emailAddress: 'gone@example.com' }],
			['getAll'],
			['delete', { globalUnsubscribeId: id('globalUnsubscribes') }],
			['deleteMany', { globalUnsubscribeIds: ids('globalUnsubscribes', 1) }],
		],
		location: [['getAll', { locationType: 'all' }]],
		notificationRecipient: [
			['create', { emailAddress: 'ops@example.com', emailOwner: 'Operations' }],
			['getAll'],
			['delete', { notificationRecipientId: id('notificationRecipients') }],
			['deleteMany', { notificationRecipientIds: ids('notificationRecipients', 1) }],
		],
		segment: [
			['getAll'],
			[
				'addRecipient',
				{
					segmentId: id('segments'),
					firstName: 'Ada',
					lastName: 'Lovelace',
					email: 'ada@example.com',
				},
			],
			['getRecipients', { segmentId: id('segments') }],
			['deleteRecipient', { segmentRecipientId: id('segmentRecipients') }],
			['delete', { segmentId: id('segments', 1) }],
		],
		sender: [
			[
				'create',
				{
					fromName: 'Shop',
					fromEmail: 'shop@example.com',
					replyToEmail: 'reply@example.com',
					nickname: 'Shop',
					companyAddress: 'Road 1',
					countryId: byId(85),
				},
			],
			['getAll'],
			['get', { senderId: id('senders') }],
			['update', { senderId: id('senders'), updateFields: { nickname: 'Renamed' } }],
			['resendVerification', { senderId: id('senders', 1) }],
			['delete', { senderId: id('senders', 1) }],
		],
		singleSend: [
			[
				'create',
				{
					singleSendName: 'Launch',
					subject: 'It is here',
					preheader: 'At last',
					senderId: id('senders'),
					recipientId: [audience],
					unsubscribeGroupId: id('unsubscribeGroups'),
					templateSource: 'html',
					templateHtml: '<p>Hello</p>',
					scheduleType: 'immediately',
				},
			],
			['getAll'],
			['get', { singleSendUtr: utr('singleSends') }],
			['getReport', { singleSendUtr: utr('singleSends') }],
			['duplicate', { singleSendUtr: utr('singleSends'), options: { allowSendingAgain: true } }],
			['update', { singleSendUtr: utr('singleSends', 3), updateFields: { subject: 'Changed' } }],
			['delete', { singleSendUtr: utr('singleSends', 3) }],
			['deleteMany', { singleSendIds: ids('singleSends', 2) }],
		],
		unsubscribeGroup: [
			['create', { groupName: 'Digest', description: 'Once a week', isDisplay: true }],
			['getAll'],
			['get', { unsubscribeGroupId: id('unsubscribeGroups') }],
			[
				'update',
				{
					unsubscribeGroupId: id('unsubscribeGroups'),
					updateFields: { description: 'Changed' },
				},
			],
			[
				'addRecipient',
				{ unsubscribeGroupId: id('unsubscribeGroups'), emailAddress: 'quiet@example.com' },
			],
			['getRecipients', { unsubscribeGroupId: id('unsubscribeGroups') }],
			['deleteRecipient', { groupRecipientId: id('groupRecipients') }],
			['deleteManyRecipients', { groupRecipientIds: ids('groupRecipients', 1) }],
		],
	};
}
