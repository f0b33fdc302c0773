import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { listClient } from '../service/client';
import type { Client } from '../service/client';
import { credentialType, readCredential } from '../service/credential';
import { operationError, toFailure, toNodeApiError } from '../service/errors';
import { fetchList } from '../service/lists';
import { retriesFailures } from '../params/givenOption';
import { isExpression, locatorValue } from '../params/values';
import { isNodeError } from '../run/nodeError';
import { isPresent } from '../records/recordKind';
import type { RecordKind, Parent } from '../records/recordKind';
import { joined, records } from '../records/records';
import type { RecordName } from '../records/records';
import { recordStatus } from '../records/statusLabels';
import { isTestSend } from '../records/testName';
import { coerceNumber, coerceText, isId, isKeyOf } from '../util/coerce';

/**
 * Reads from the service while somebody fills in the node.
 *
 * @throws NodeApiError
 */
export async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	read: (client: Client) => Promise<T>,
): Promise<T> {
	const node = context.getNode();
	const credential = await readCredential(context);
	const client = listClient(
		context,
		{ retries: retriesFailures(node), isInteractive: true },
		credential,
	);
	return await read(client).catch((error: unknown) => {
		throw toNodeApiError(node, toFailure(error, { changesData: false }));
	});
}

/**
 * Whether the node has a credential. In a new workflow, n8n asks for lists before it has passed the credential that it
 * has chosen itself.
 */
export const hasCredential = (context: ILoadOptionsFunctions): boolean =>
	context.getNode().credentials?.[credentialType] !== undefined;

const howToLoad = 'Close and reopen this node to load the list';

/**
 * The only entry of a list if the node has no credential. An error would stay visible until the list is loaded again.
 */
export const reopenNode = { name: howToLoad, value: '' };

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

interface ChoiceSource {
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
const choiceSources = {
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

/**
 * An entry in place of a list that cannot be read: n8n would show an error of it as "[object Object]".
 *
 * @throws any error other than one for people
 */
export function problemOf(error: unknown): Choice {
	if (!isNodeError(error)) throw error;
	return { name: error.message, value: '', detail: error.description ?? undefined };
}

/**
 * What can be read of several lists is offered.
 *
 * @throws NodeOperationError where the list depends on a choice that has not been made
 */
export function recordChoices(name: ChoiceSourceName): ChoiceFetcher {
	return async (context) => {
		const sources: ChoiceSource[] = choiceSources[name];
		const lists = await Promise.allSettled(
			sources.map(async ({ kind, toChoice }) => {
				const { list, parent } = kind;
				const query = parent && { [parent.field]: parentValue(context, parent) };
				const listed = await readForEditor(
					context,
					async (client) => await fetchList(client, list, query),
				);
				return withTestsLast(context, newestFirst(kind, listed))
					.filter((record) => isPresent(record, kind))
					.map(toChoice)
					.filter(({ value }) => value.trim() !== '');
			}),
		);
		const failed = lists.flatMap((list) => (list.status === 'rejected' ? [list.reason] : []));
		if (failed.length === lists.length) throw failed[0];
		return lists.flatMap((list) =>
			list.status === 'fulfilled' ? list.value : [problemOf(list.reason)],
		);
	};
}

/** Campaigns are listed newest first, because people usually need the latest one. */
function newestFirst(kind: RecordKind, listed: IDataObject[]): IDataObject[] {
	if (kind !== records.singleSend) return listed;
	return [...listed].sort((a, b) => (coerceNumber(b.id) || 0) - (coerceNumber(a.id) || 0));
}

/** Test sends are offered only to be deleted. */
function withTestsLast(context: ILoadOptionsFunctions, all: IDataObject[]): IDataObject[] {
	const tests = all.filter(isTestSend);
	if (tests.length === 0) return all;
	const others = all.filter((record) => !isTestSend(record));
	const operation = context.getCurrentNodeParameter('operation');
	return operation === 'delete' || operation === 'deleteMany' ? [...others, ...tests] : others;
}

function parentValue(context: ILoadOptionsFunctions, { field, parameter, label }: Parent): string {
	const given = context.getCurrentNodeParameter(parameter);
	const value = coerceText(locatorValue(given)).trim();
	if (isKeyOf(field, value)) return value;
	if (isExpression(given)) {
		throw operationError(
			context.getNode(),
			'choice-missing',
			`The list cannot be loaded, because "${label}" contains an expression`,
			{ description: 'Enter this value as an expression, too.' },
		);
	}
	throw operationError(context.getNode(), 'choice-missing', `Choose "${label}" first`, {
		description: 'The list depends on it.',
	});
}
