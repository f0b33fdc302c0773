import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { recordStatus } from '../records/statusLabels';
import type { RecordKind } from '../records/recordKind';
import { joined, records } from '../records/records';
import type { RecordName } from '../records/records';
import { coerceNumber, coerceText, isId } from '../util/coerce';

/** One entry of a list in the editor. */
export interface Choice {
	name: string;
	value: string;
	/** Distinguishes entries of the same name: counts, status, date. */
	detail?: string;
}

const keyShown = (key: string): string => (isId(key) ? `ID ${key}` : key);

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
		return { ...choice, detail: joined(choice.detail ?? '', keyShown(choice.value)) };
	});
}

/** Fetches what a list in the editor offers. */
export type ChoiceFetcher = (context: ILoadOptionsFunctions) => Promise<Choice[]>;

export interface ChoiceSource {
	kind: RecordKind;
	toChoice: (record: IDataObject) => Choice;
}

function countOf({ count }: RecordKind, record: IDataObject): string {
	const number = coerceNumber(count && record[count.field]);
	return Number.isFinite(number) ? `${number} ${number === 1 ? count?.one : count?.many}` : '';
}

function statusOf(name: RecordName, record: IDataObject): string {
	const status = recordStatus(record, name);
	return status === undefined ? '' : (status.label ?? `status ${status.code}`);
}

/** @param key the field with the value of a choice, the key of the records unless given */
function choiceOf(name: RecordName, key?: string): ChoiceSource {
	const kind: RecordKind = records[name];
	const { names, shownNames = 1, detail } = kind;
	return {
		kind,
		toChoice(record) {
			const value = coerceText(record[key ?? kind.key]);
			const shown = joined(...names.slice(0, shownNames).map((field) => coerceText(record[field])));
			return {
				name: shown.trim() || keyShown(value),
				value,
				detail: joined(statusOf(name, record), countOf(kind, record), detail?.(record) ?? ''),
			};
		},
	};
}

/** A contact type or a segment as the audience of a campaign. */
function targetOf(prefix: string, label: string, name: RecordName): ChoiceSource {
	const { kind, toChoice } = choiceOf(name);
	return {
		kind,
		toChoice(record) {
			const { name: shown, value, detail } = toChoice(record);
			return {
				name: shown,
				value: value && `${prefix}_${value}`,
				detail: joined(label, detail ?? ''),
			};
		},
	};
}

/** The lists behind each choice, named like the end of its method: `search…` and `get…`. */
export const choiceSources = {
	Automations: [choiceOf('automation')],
	AutomationSchedules: [choiceOf('automationSchedule')],
	AutomationIds: [choiceOf('automation', 'id')],
	Contacts: [choiceOf('contact')],
	ContactTypes: [choiceOf('contactType')],
	CustomFields: [choiceOf('customField')],
	CustomFieldNames: [choiceOf('customField', 'field_name')],
	DesignTemplates: [choiceOf('designTemplate')],
	GlobalUnsubscribes: [choiceOf('globalUnsubscribe')],
	NotificationRecipients: [choiceOf('notificationRecipient')],
	Segments: [choiceOf('segment')],
	SegmentRecipients: [choiceOf('segmentRecipient')],
	Senders: [choiceOf('sender')],
	SingleSends: [choiceOf('singleSend')],
	SingleSendIds: [choiceOf('singleSend', 'id')],
	Targets: [
		targetOf('contacts', 'Contact type', 'contactType'),
		targetOf('segments', 'Segment', 'segment'),
	],
	UnsubscribeGroups: [choiceOf('unsubscribeGroup')],
	UnsubscribeGroupRecipients: [choiceOf('unsubscribeGroupRecipient')],
} satisfies Record<string, ChoiceSource[]>;

export type ChoiceSourceName = keyof typeof choiceSources;
