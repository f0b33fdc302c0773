import type { IDataObject } from 'n8n-workflow';

import { isDeleted, nameOrId } from '../../records/recordKind';
import type { RecordKind } from '../../records/recordKind';
import { records } from '../../records/records';
import { groupName, groupOf, isGlobal } from '../../records/unsubscribes';
import { coerceText, isObject } from '../../util/coerce';

/** A kind of record that is about a person. */
export type PlaceName =
	| 'contact'
	| 'segmentRecipient'
	| 'unsubscribeGroupRecipient'
	| 'globalUnsubscribe'
	| 'notificationRecipient'
	| 'sender';

interface Place {
	kind: RecordKind;
	/** The key of their number in the output. */
	count: string;
	title: string;
	/** The fields that may have the address of a person. */
	addresses: readonly string[];
	/** The parent records, if there is one list for each of them. */
	parents?: RecordKind;
}

/** All kinds of records that can be found by the address of a person. */
export const places: Record<PlaceName, Place> = {
	contact: {
		kind: records.contact,
		count: 'contacts',
		title: 'Contacts',
		addresses: ['email', 'alt_email'],
	},
	segmentRecipient: {
		kind: records.segmentRecipient,
		count: 'segmentRecipients',
		title: 'Segments',
		addresses: ['email'],
		parents: records.segment,
	},
	unsubscribeGroupRecipient: {
		kind: records.unsubscribeGroupRecipient,
		count: 'unsubscribeGroupRecipients',
		title: 'Unsubscribe Groups',
		addresses: ['email_address'],
		parents: records.unsubscribeGroup,
	},
	globalUnsubscribe: {
		kind: records.globalUnsubscribe,
		count: 'globalUnsubscribes',
		title: 'Global Unsubscribes',
		addresses: ['email_address'],
	},
	notificationRecipient: {
		kind: records.notificationRecipient,
		count: 'notificationRecipients',
		title: 'Notification Recipients',
		addresses: ['email_address'],
	},
	sender: {
		kind: records.sender,
		count: 'senders',
		title: 'Senders',
		addresses: ['from_email', 'reply_to_email'],
	},
};

export const placeNames = Object.keys(places) as PlaceName[];

/** A record that has the address of a person. */
export interface Found {
	place: PlaceName;
	/** The contact type, segment or group, or the list itself. */
	list: string;
	listId?: string;
	id: string;
	/** The field with the address. */
	field: string;
	isDeleted: boolean;
	/** Whether it is an entry of the global list that unsubscribes from everything. */
	isGlobal: boolean;
	record: IDataObject;
	/** The list that it was read from. */
	source: PlaceName;
	/** The request that returned it, and when. */
	endpoint: string;
	readAt: string;
}

/** An ID of the service in the output: a number, unless the service has something else. */
export const numbered = (id = ''): string | number => Number(id) || id;

/** Which record it is, in the output. */
export const referenceTo = ({ place, list, listId, id }: Found): IDataObject => ({
	recordType: place,
	list,
	...(listId !== undefined && { listId: numbered(listId) }),
	id: numbered(id),
});

/** Tells records apart. */
export const recordKey = ({ place, listId = '', id }: Found): string => `${place} ${listId} ${id}`;

/** The list that a record was read from. */
export interface Source {
	place: PlaceName;
	/** Its segment or group. */
	parent?: IDataObject;
	readAt: string;
}

/** The name of a segment or group, or its ID. */
export const parentName = ({ place, parent = {} }: Omit<Source, 'readAt'>): string =>
	nameOrId(parent, places[place].parents ?? { names: [] });

/** The list that a record is on. The global list (1) may also contain entries of groups. */
function listOf(source: Source, record: IDataObject): Pick<Found, 'place' | 'list' | 'listId'> {
	const { place, parent } = source;
	if (parent) return { place, list: parentName(source), listId: coerceText(parent.id) };
	const group = place === 'globalUnsubscribe' ? groupOf(record) : undefined;
	if (group !== undefined) {
		return {
			place: 'unsubscribeGroupRecipient',
			list: groupName(group),
			listId: group,
		};
	}
	if (place !== 'contact') return { place, list: places[place].title };
	const { contact_type: type, contact_type_id: typeId } = record;
	const name = isObject(type) ? coerceText(type.name) : '';
	const listId = coerceText(typeId);
	return { place, list: name || `Contact Type ${listId}`, listId };
}

export function foundIn(source: Source, record: IDataObject, field: string): Found {
	const { method, path } = places[source.place].kind.list;
	const list = listOf(source, record);
	return {
		...list,
		id: coerceText(record.id),
		field,
		isDeleted: isDeleted(record),
		isGlobal: list.place === 'globalUnsubscribe' && isGlobal(record),
		record,
		source: source.place,
		endpoint: `${method} ${path}`,
		readAt: source.readAt,
	};
}
