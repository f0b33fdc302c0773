import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import type { KeyedEndpoint } from '../api/endpoints';
import { statusLabel } from '../output/statusLabels';
import { coerceNumber, isId } from '../util/coerce';

/** One entry of a list in the editor. */
export interface Choice {
	name: string;
	value: string;
	/** Distinguishes entries of the same name: counts, status, date. */
	detail?: string;
}

/** Adds the ID or UTR to entries that look alike. */
export function distinct(choices: Choice[]): Choice[] {
	const lookOf = ({ name, detail = '' }: Choice) => JSON.stringify([name, detail]);
	const counts = new Map<string, number>();
	for (const choice of choices) {
		const look = lookOf(choice);
		counts.set(look, (counts.get(look) ?? 0) + 1);
	}
	return choices.map((choice) => {
		if (counts.get(lookOf(choice)) === 1) return choice;
		const key = isId(choice.value) ? `ID ${choice.value}` : choice.value;
		return { ...choice, detail: joined(choice.detail ?? '', key) };
	});
}

/** Fetches what a list in the editor offers. */
export type ChoiceFetcher = (context: ILoadOptionsFunctions) => Promise<Choice[]>;

/** Query field that narrows a list, and the parameter that its value comes from. */
export interface ChoiceParent {
	field: string;
	parameter: string;
	label: string;
}

export interface ChoiceSource {
	list: KeyedEndpoint;
	parent?: ChoiceParent;
	toChoice: (record: IDataObject) => Choice;
}

const text = (value: unknown): string =>
	typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';

const day = (value: unknown): string => text(value).slice(0, 10);

const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(' · ');

function counted(count: unknown, one: string, many: string): string {
	return typeof count === 'number' ? `${count} ${count === 1 ? one : many}` : '';
}

function shownStatus(list: 'singleSends' | 'automations', status: unknown): string {
	return statusLabel(list, coerceNumber(status)) ?? `status ${text(status)}`;
}

function person(record: IDataObject): string {
	return text(record.fullname) || joined(text(record.first_name), text(record.last_name));
}

function byId(name: (record: IDataObject) => string, detail: (record: IDataObject) => string) {
	return (record: IDataObject): Choice => ({
		name: name(record).trim() || `ID ${text(record.id)}`,
		value: text(record.id),
		detail: detail(record),
	});
}

function byUtr(name: (record: IDataObject) => string, detail: (record: IDataObject) => string) {
	return (record: IDataObject): Choice => ({
		name: name(record).trim() || text(record.utr),
		value: text(record.utr),
		detail: detail(record),
	});
}

const singleSendName = (record: IDataObject) => text(record.single_send_name);
const singleSendDetail = (record: IDataObject) =>
	joined(shownStatus('singleSends', record.status), day(record.created_at));
const automationName = (record: IDataObject) => text(record.automation_name);
const automationDetail = (record: IDataObject) =>
	joined(shownStatus('automations', record.status), day(record.created_at));

const emailEntry = byId(
	(record) => text(record.email_address),
	(record) => day(record.created_at),
);

const contactType = byId(
	(record) => text(record.name),
	(record) => counted(record.contacts_count, 'contact', 'contacts'),
);
const segment = byId(
	(record) => text(record.segment_name),
	(record) => counted(record.segment_emails_count, 'recipient', 'recipients'),
);

const target =
	(prefix: string, label: string, toChoice: (record: IDataObject) => Choice) =>
	(record: IDataObject): Choice => {
		const { name, value, detail } = toChoice(record);
		return { name, value: value && `${prefix}_${value}`, detail: joined(label, detail ?? '') };
	};

/** The lists behind each choice, named like the end of its method: `search…` and `get…`. */
export const choiceSources = {
	Automations: [
		{ list: endpoints.automation.getAll, toChoice: byUtr(automationName, automationDetail) },
	],
	AutomationSchedules: [
		{
			list: endpoints.automationSchedule.getAll,
			parent: { field: 'utr', parameter: 'automationUtr', label: 'Automation' },
			toChoice: byUtr(
				(record) => text(record.subject),
				({ waiting_type: type, waiting_period: period }) =>
					type === 'instantly' ? 'instantly' : `after ${text(period)} ${text(type)}`,
			),
		},
	],
	AutomationIds: [
		{ list: endpoints.automation.getAll, toChoice: byId(automationName, automationDetail) },
	],
	Contacts: [
		{
			list: endpoints.contact.getAll,
			toChoice: byId(
				(record) => text(record.email),
				(record) => joined(person(record), text((record.contact_type as IDataObject | null)?.name)),
			),
		},
	],
	ContactTypes: [{ list: endpoints.contactType.getAll, toChoice: contactType }],
	CustomFields: [
		{
			list: endpoints.customField.getAll,
			toChoice: byId(
				(record) => text(record.field_name),
				(record) => text(record.field_type),
			),
		},
	],
	CustomFieldNames: [
		{
			list: endpoints.customField.getAll,
			toChoice: (record): Choice => ({
				name: text(record.field_name),
				value: text(record.field_name),
				detail: text(record.field_type),
			}),
		},
	],
	DesignTemplates: [
		{
			list: endpoints.designTemplate.getAll,
			toChoice: byId(
				(record) => text(record.template_name),
				(record) => joined(record.is_blank === 1 ? 'blank' : '', day(record.updated_at)),
			),
		},
	],
	GlobalUnsubscribes: [{ list: endpoints.globalUnsubscribe.getAll, toChoice: emailEntry }],
	NotificationRecipients: [
		{
			list: endpoints.notificationRecipient.getAll,
			toChoice: byId(
				(record) => text(record.email_address),
				(record) => text(record.email_owner),
			),
		},
	],
	Segments: [{ list: endpoints.segment.getAll, toChoice: segment }],
	SegmentRecipients: [
		{
			list: endpoints.segment.getRecipients,
			parent: { field: 'segment_id', parameter: 'segmentId', label: 'Segment' },
			toChoice: byId((record) => text(record.email), person),
		},
	],
	Senders: [
		{
			list: endpoints.sender.getAll,
			toChoice: byId(
				(record) => joined(text(record.nickname), text(record.from_email)),
				(record) => (coerceNumber(record.is_verified) === 1 ? 'verified' : 'not verified'),
			),
		},
	],
	SingleSends: [
		{ list: endpoints.singleSend.getAll, toChoice: byUtr(singleSendName, singleSendDetail) },
	],
	SingleSendIds: [
		{ list: endpoints.singleSend.getAll, toChoice: byId(singleSendName, singleSendDetail) },
	],
	Targets: [
		{
			list: endpoints.contactType.getAll,
			toChoice: target('contacts', 'Contact type', contactType),
		},
		{ list: endpoints.segment.getAll, toChoice: target('segments', 'Segment', segment) },
	],
	UnsubscribeGroups: [
		{
			list: endpoints.unsubscribeGroup.getAll,
			toChoice: byId(
				(record) => text(record.group_name),
				(record) => counted(record.unsubscribe_clients_count, 'recipient', 'recipients'),
			),
		},
	],
	UnsubscribeGroupRecipients: [
		{
			list: endpoints.unsubscribeGroup.getRecipients,
			parent: { field: 'groupId', parameter: 'unsubscribeGroupId', label: 'Unsubscribe Group' },
			toChoice: emailEntry,
		},
	],
} satisfies Record<string, ChoiceSource[]>;

export type ChoiceSourceName = keyof typeof choiceSources;
