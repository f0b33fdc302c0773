import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import type { ErrorCode } from '../../../service/errorCode';
import { isDeleted } from '../../../records/recordKind';
import type { RecordKind } from '../../../records/recordKind';
import { records } from '../../../records/records';
import { groupOf } from '../../../records/unsubscribes';
import { coerceNumber, coerceText } from '../../../util/coerce';
import { addressKey } from '../../../util/email';
import { settleAll } from '../../../util/promises';
import { truncateList } from '../../../util/text';
import { suppressedBy } from '../../consent/entries';
import { readGroupsOf } from '../../consent/suppressions';
import { nameOf, withId } from './findings';
import type { Finding, ListReader } from './findings';

/** A contact type or a segment. */
interface Target {
	/** As requests name it: `contacts_3`, `segments_8`. */
	entry: string;
	id: string;
	/** Absent if there is no list of such targets: an update may keep one of an unknown kind. */
	kind?: RecordKind;
	/** Absent where it does not exist. */
	record?: IDataObject;
	/** Infinite where the service does not say. */
	count: number;
}

/** By the table that requests and records name. */
export const targetKinds: ReadonlyMap<string, RecordKind> = new Map([
	['contacts', records.contactType],
	['segments', records.segment],
]);

async function targetOf(entry: string, lists: ListReader): Promise<Target> {
	const [table = '', id = ''] = entry.split('_');
	const kind = targetKinds.get(table);
	if (kind === undefined) return { entry, id, count: Infinity };
	const record = withId(await lists.records(kind.list), id);
	const count = coerceNumber(record?.[kind.count?.field ?? '']);
	return { entry, id, kind, record, count: Number.isFinite(count) ? count : Infinity };
}

const targetsOf = async (entries: string[], lists: ListReader): Promise<Target[]> =>
	await settleAll(entries.map(async (entry) => await targetOf(entry, lists)));

const nameOfTarget = ({ kind, entry, record }: Target): string =>
	kind === undefined || record === undefined ? entry : nameOf(record, kind);

/** Contact types and segments under `label` that do not exist. */
function missing(targets: Target[], code: ErrorCode, label: string): Finding[] {
	const gone = targets.filter(({ kind, record }) => kind !== undefined && record === undefined);
	if (gone.length === 0) return [];
	return [
		{
			code,
			field: label,
			problem: `"${label}" contains contact types or segments that do not exist: ${truncateList(
				gone.map(({ entry }) => entry),
				5,
			)}`,
			remedy: `Choose "${label}" from the list again.`,
		},
	];
}

const addresses = (records: IDataObject[], field: string): string[] =>
	records
		.filter((record) => !isDeleted(record))
		.map((record) => addressKey(coerceText(record[field])))
		.filter((address) => address !== '');

const contactsOf = (contacts: IDataObject[], contactTypeId: string): IDataObject[] =>
	contacts.filter((contact) => coerceText(contact.contact_type_id) === contactTypeId);

/** The addresses of a contact type in the list of contacts (18), with duplicates. */
export const contactAddresses = (contacts: IDataObject[], contactTypeId: string): string[] =>
	addresses(contactsOf(contacts, contactTypeId), 'email');

async function entriesOf({ kind, id }: Target, lists: ListReader): Promise<IDataObject[]> {
	if (kind === undefined) return [];
	return kind === records.segment
		? await lists.records(endpoints.segment.getRecipients, { segment_id: id })
		: contactsOf(await lists.records(endpoints.contact.getAll), id);
}

const addressesOf = async (target: Target, lists: ListReader): Promise<string[]> =>
	addresses(await entriesOf(target, lists), 'email');

/** How many entries the service counts, but does not list. */
async function countUnlisted(target: Target, lists: ListReader): Promise<number> {
	const { length } = await entriesOf(target, lists);
	return Number.isFinite(target.count) ? Math.max(0, target.count - length) : 0;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

export interface Audience {
	recipients: string[];
	excluded: string[];
	groupId: string;
}

/** The addresses of an audience: each entry is either among the addresses or left out for one reason. */
interface Reach {
	addresses: string[];
	/** Entries left out, each counted for the first of these reasons that applies. */
	leftOut: {
		duplicateAddresses: number;
		excluded: number;
		globalUnsubscribes: number;
		unsubscribeGroup: number;
	};
}

async function groupRecipients(groupId: string, lists: ListReader): Promise<IDataObject[]> {
	const group = withId(await lists.records(endpoints.unsubscribeGroup.getAll), groupId);
	if (group === undefined || group.unsubscribe_clients_count === 0) return [];
	return await lists.records(endpoints.unsubscribeGroup.getRecipients, { groupId });
}

/** Who has unsubscribed globally, and who from the group. */
async function unsubscribed(groupId: string, lists: ListReader) {
	const [entries, recipients] = await settleAll([
		lists.records(endpoints.globalUnsubscribe.getAll),
		groupRecipients(groupId, lists),
	]);
	const isOfGroup = (entry: IDataObject) => groupOf(entry) === groupId;
	const present = entries.filter((entry) => !isDeleted(entry));
	const isOfOtherGroup = await readGroupsOf(
		present.map(suppressedBy),
		[Number(groupId)],
		async (id) => (await groupRecipients(String(id), lists)).map(suppressedBy),
	);
	const isGlobal = (entry: IDataObject) =>
		!isOfGroup(entry) && !isOfOtherGroup(suppressedBy(entry));
	return {
		globally: addresses(present.filter(isGlobal), 'email_address'),
		fromGroup: addresses([...recipients, ...present.filter(isOfGroup)], 'email_address'),
	};
}

const allAddresses = async (targets: Target[], lists: ListReader): Promise<string[]> =>
	(await settleAll(targets.map(async (target) => await addressesOf(target, lists)))).flat();

async function reach(
	recipients: Target[],
	excluded: Target[],
	groupId: string,
	lists: ListReader,
): Promise<Reach> {
	const [reached, excludedAddresses, { globally, fromGroup }] = await settleAll([
		allAddresses(recipients, lists),
		allAddresses(excluded, lists),
		unsubscribed(groupId, lists),
	]);
	const left = new Set(reached);
	const duplicateAddresses = reached.length - left.size;
	const leaveOut = (some: string[]): number =>
		some.filter((address) => left.delete(address)).length;
	const leftOut = {
		duplicateAddresses,
		excluded: leaveOut(excludedAddresses),
		globalUnsubscribes: leaveOut(globally),
		unsubscribeGroup: leaveOut(fromGroup),
	};
	return { addresses: [...left], leftOut };
}

/** The addresses that have unsubscribed neither globally nor from the group. */
export async function withoutUnsubscribed(
	some: string[],
	groupId: string,
	lists: ListReader,
): Promise<string[]> {
	const { globally, fromGroup } = await unsubscribed(groupId, lists);
	const gone = new Set([...globally, ...fromGroup]);
	return some.filter((address) => !gone.has(address));
}

/** A service may find the recipients of a segment only when something is sent, and count none until then. */
const isUncounted = ({ kind, count }: Target): boolean => kind === records.segment && count === 0;

/**
 * @returns with the highest possible number of recipients (`most`); undefined if the addresses of the audience cannot be
 *   known, because one of its lists is not there, is of an unknown kind, or is a segment that counts nobody
 */
export async function reachOf(
	audience: Audience,
	lists: ListReader,
): Promise<(Reach & { most: number }) | undefined> {
	const [recipients, excluded] = await settleAll([
		targetsOf(audience.recipients, lists),
		targetsOf(audience.excluded, lists),
	]);
	const groups = await lists.records(endpoints.unsubscribeGroup.getAll);
	const parts = [...recipients, ...excluded].map(({ record }) => record);
	if ([...parts, withId(groups, audience.groupId)].includes(undefined)) return undefined;
	if (recipients.some(isUncounted)) return undefined;
	const unlisted = await settleAll(recipients.map(async (one) => await countUnlisted(one, lists)));
	const listed = await reach(recipients, excluded, audience.groupId, lists);
	return { ...listed, most: listed.addresses.length + sum(unlisted) };
}

const nobody = (code: ErrorCode, problem: string, remedy: string): Finding[] => [
	{ code, field: 'Recipient Names or IDs', problem, remedy },
];

const notCounted = (segments: Target[]): Finding => ({
	code: 'audience-not-counted',
	field: 'Recipient Names or IDs',
	problem: `The email may reach no one: the service counts no recipients in ${truncateList(segments.map(nameOfTarget), 5)}`,
	remedy:
		'Check the segment in the service. Its recipients may be determined only when the email is sent.',
	isUnclear: true,
});

/**
 * Whether the audience exists, and anybody remains after exclusions and unsubscribes. Usually, counts answer that.
 * Addresses are compared only if exclusions and unsubscribes may cover everybody, or if `isExact`.
 */
export async function checkAudience(
	audience: Audience,
	lists: ListReader,
	isExact = false,
): Promise<Finding[]> {
	const [recipients, excluded] = await settleAll([
		targetsOf(audience.recipients, lists),
		targetsOf(audience.excluded, lists),
	]);
	const findings = [
		...missing(recipients, 'recipients-not-found', 'Recipient Names or IDs'),
		...missing(excluded, 'exclusions-not-found', 'Exclude Names or IDs'),
	];
	if (findings.length > 0) return findings;

	const names = truncateList(recipients.map(nameOfTarget), 5);
	const left = recipients.filter(({ entry }) => !audience.excluded.includes(entry));
	if (left.length === 0) {
		return nobody(
			'recipients-excluded',
			`No one would receive the email: "Recipient Names or IDs" and "Exclude Names or IDs" both contain ${names}`,
			'Remove these from "Exclude Names or IDs", or choose other recipients.',
		);
	}
	const uncounted = left.filter(isUncounted);
	const isEmpty = left.every(({ count }) => count === 0);
	if (isEmpty && uncounted.length > 0) return [notCounted(uncounted)];
	if (left.some(({ kind }) => kind === undefined)) return [];
	if (!isExact && (await isSomeoneLeft(left, excluded, audience.groupId, lists))) return [];
	const { addresses: reached } = await reach(left, excluded, audience.groupId, lists);
	if (reached.length > 0) return [];
	if (uncounted.length > 0) return [notCounted(uncounted)];
	if (isEmpty) {
		return nobody(
			'audience-empty',
			`No one would receive the email: there are no recipients in ${truncateList(left.map(nameOfTarget), 5)}`,
			'Add contacts first, or choose other recipients.',
		);
	}
	return nobody(
		'everyone-left-out',
		`No one would receive the email: everyone in ${names} is excluded or has unsubscribed`,
		'Choose other recipients, or exclude fewer.',
	);
}

/** Whether the counts alone show that somebody remains. */
async function isSomeoneLeft(
	left: Target[],
	excluded: Target[],
	groupId: string,
	lists: ListReader,
): Promise<boolean> {
	const [groups, globalUnsubscribes] = await settleAll([
		lists.records(endpoints.unsubscribeGroup.getAll),
		lists.records(endpoints.globalUnsubscribe.getAll),
	]);
	const groupCount = coerceNumber(withId(groups, groupId)?.unsubscribe_clients_count ?? 0);
	const leftOut = sum(excluded.map(({ count }) => count)) + groupCount + globalUnsubscribes.length;
	// An unknown count proves nothing.
	return left.some(({ count }) => Number.isFinite(count) && count > leftOut);
}
