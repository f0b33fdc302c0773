import { endpoints } from '../../service/endpoints';
import type { Endpoint } from '../../service/endpoints';
import { fieldsOf } from '../../records/recordKind';
import type { RecordKind } from '../../records/recordKind';
import { records } from '../../records/records';
import type { RecordName } from '../../records/records';

/** One request of the check. */
export interface Probe {
	endpoint: Endpoint;
	/** What it returns, in words of the editor. */
	label: string;
	/** What the response holds. */
	form: 'records' | 'record' | 'texts' | 'places' | 'file';
	kind?: RecordName;
	/** The fields that the reference names for its records. */
	fields: readonly string[];
	/** Fields without which the node cannot work with a record. */
	needed: readonly string[];
	/** A parameter, and the kind of record that an earlier list provides for it. */
	about?: { kind: RecordName; field: string; parameter: string };
}

function neededOf({ key, email, status }: RecordKind): string[] {
	return [key, email, status?.field].filter((field) => field !== undefined);
}

const listOf = (kind: RecordName, label: string): Probe => {
	const record: RecordKind = records[kind];
	return {
		endpoint: record.list,
		label,
		form: 'records',
		kind,
		fields: fieldsOf(record),
		needed: neededOf(record),
	};
};

const entriesOf = (kind: RecordName, label: string, parent: RecordName, field: string): Probe => {
	const { parent: of }: RecordKind = records[kind];
	return { ...listOf(kind, label), about: { kind: parent, field, parameter: of?.field ?? '' } };
};

const detailsOf = (
	kind: RecordName,
	label: string,
	endpoint: Endpoint,
	parameter: string,
): Probe => {
	const record: RecordKind = records[kind];
	const listOnly = record.listOnly ?? [];
	return {
		endpoint,
		label,
		form: 'record',
		kind,
		fields: fieldsOf(record).filter(
			(field) => !listOnly.includes(field) && field !== record.count?.field,
		),
		needed: neededOf(record),
		about: { kind, field: record.key, parameter },
	};
};

/** Everything that can be read, each once. The first request shows whether the keys are right. */
export const probes: readonly Probe[] = [
	listOf('contactType', 'Contact types'),
	listOf('contact', 'Contacts'),
	listOf('globalUnsubscribe', 'Global unsubscribes'),
	listOf('unsubscribeGroup', 'Unsubscribe groups'),
	listOf('segment', 'Segments'),
	listOf('singleSend', 'Campaigns'),
	listOf('automation', 'Automations'),
	listOf('sender', 'Senders'),
	listOf('designTemplate', 'Design templates'),
	{
		...{ endpoint: endpoints.designTemplate.getDynamicContent, label: 'Dynamic content' },
		...{ form: 'texts', fields: [], needed: [] },
	},
	listOf('customField', 'Custom fields'),
	{
		...listOf('customField', 'Reserved fields'),
		endpoint: endpoints.customField.getReserved,
	},
	listOf('notificationRecipient', 'Notification recipients'),
	{
		...{ endpoint: endpoints.location.getAll, label: 'Countries, states and cities' },
		...{ form: 'places', fields: [], needed: [] },
	},
	{
		...{ endpoint: endpoints.contact.getCsvSample, label: 'Sample CSV file' },
		...{ form: 'file', fields: [], needed: [] },
	},
	detailsOf('contactType', 'One contact type', endpoints.contactType.get, 'contact_type_id'),
	detailsOf('contact', 'One contact', endpoints.contact.get, 'contact_id'),
	detailsOf('unsubscribeGroup', 'One unsubscribe group', endpoints.unsubscribeGroup.get, 'id'),
	detailsOf('singleSend', 'One campaign', endpoints.singleSend.get, 'utr'),
	detailsOf('automation', 'One automation', endpoints.automation.get, 'utr'),
	detailsOf('sender', 'One sender', endpoints.sender.get, 'sender_id'),
	entriesOf(
		'unsubscribeGroupRecipient',
		'Recipients of an unsubscribe group',
		'unsubscribeGroup',
		'id',
	),
	entriesOf('segmentRecipient', 'Recipients of a segment', 'segment', 'id'),
	entriesOf('automationSchedule', 'Emails of an automation', 'automation', 'utr'),
];

/** The field of a record with the number of its entries, by kind of record. */
export const countFields: Readonly<Record<string, string | undefined>> = {
	unsubscribeGroup: records.unsubscribeGroup.count.field,
	segment: records.segment.count.field,
	automation: 'automation_schedule_count',
};
