import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import { ServiceError, serviceErrorOf } from '../../service/failure';
import { fetchEach } from '../../service/lists';
import { isPresent } from '../../records/recordKind';
import { addressesOf } from '../../util/addressesIn';
import { coerceText, isId } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { settleAll } from '../../util/promises';
import { truncateList } from '../../util/text';
import { foundIn, parentName, placeNames, places, recordKey } from './places';
import type { Found, PlaceName, Source } from './places';

/** The records of each person on all lists, by address key. */
export type Snapshot = ReadonlyMap<string, Found[]>;

interface Match {
	key: string;
	found: Found;
}

/** A list that could not be read. */
interface Unread {
	list: string;
	error: ServiceError;
}

const noMatches: Match[] = [];

/** If a list was not read, the person may be on it, so nothing is reported about anybody. */
function unreadable(unread: readonly Unread[], { failure }: ServiceError): ServiceError {
	const { readOf: _, ...rest } = failure;
	const unreadLists = unread.map(({ list }) => list);
	const description = `${truncateList(unreadLists)} could not be read, so it is unknown what is stored there. ${rest.description}`;
	return new ServiceError({ ...rest, description, report: { unreadLists } });
}

function matchesIn(source: Source, record: IDataObject, keys: ReadonlySet<string>): Match[] {
	const matches = places[source.place].addresses.flatMap((field) =>
		addressesOf(coerceText(record[field]))
			.map(addressKey)
			.filter((key) => keys.has(key))
			.map((key) => ({ key, found: foundIn(source, record, field) })),
	);
	return matches.length === 0 ? noMatches : matches;
}

/** The list of a segment or group can only be read with its ID. */
const withoutId = (title: string): ServiceError =>
	new ServiceError({
		code: 'entry-without-id',
		message: `Unexpected response: an entry of "${title}" has no valid ID`,
		description: 'Check the entry in the service.',
		effect: 'none',
	});

type Read = () => Promise<IDataObject[]>;

/**
 * Reads lists, each once.
 *
 * @param pick what is needed of a record
 * @param parentsOf the segments or groups whose lists are read
 * @throws ServiceError if a list cannot be read, with the names of all that cannot
 */
export async function readLists<T>(
	client: Client,
	names: readonly PlaceName[],
	pick: (source: Source, record: IDataObject) => T[],
	parentsOf = async (_place: PlaceName, read: Read) => await read(),
): Promise<T[]> {
	const unread: Unread[] = [];
	const attempt = async <R>(list: string, reading: Promise<R[]>): Promise<R[]> =>
		await reading.catch((error: unknown) => {
			unread.push({ list, error: serviceErrorOf(error) });
			return [];
		});
	const readList = async (place: PlaceName, parent?: IDataObject): Promise<T[]> => {
		const { kind, title } = places[place];
		const query = parent && kind.parent && { [kind.parent.field]: coerceText(parent.id) };
		const source = { place, parent, readAt: '' };
		const pickFrom = (record: IDataObject) => {
			source.readAt ||= new Date().toISOString();
			return pick(source, record);
		};
		const name = parent ? `${title}: ${parentName(source)}` : title;
		return (await attempt(name, fetchEach(client, kind.list, pickFrom, query))).flat();
	};
	const readPlace = async (place: PlaceName): Promise<T[]> => {
		const { title, parents } = places[place];
		if (!parents) return await readList(place);
		const readParents = async () => {
			const all = await attempt(
				title,
				fetchEach(client, parents.list, (one) => one),
			);
			const present = all.filter((one) => isPresent(one, parents));
			const known = present.filter(({ id }) => isId(coerceText(id)));
			if (known.length < present.length) unread.push({ list: title, error: withoutId(title) });
			return known;
		};
		const chosen = await parentsOf(place, readParents);
		const lists = await settleAll(chosen.map(async (parent) => await readList(place, parent)));
		return lists.flat();
	};
	const all = (await settleAll(names.map(readPlace))).flat();
	const [first] = unread;
	if (first) throw unreadable(unread, first.error);
	return all;
}

/**
 * The records of people on all lists, each list read once. Addresses are compared in all spellings.
 *
 * @param keys of the addresses, see `addressKey`
 * @throws ServiceError if a list cannot be read, with the names of all that cannot
 */
export async function readPlaces(client: Client, keys: ReadonlySet<string>): Promise<Snapshot> {
	const matches = await readLists(client, placeNames, (source, record) =>
		matchesIn(source, record, keys),
	);
	return snapshotOf(keys, matches);
}

/** Reads again after a write, which a failed read must not hide: the text then says why the lists are unknown. */
export const readPlacesAgain = async (
	client: Client,
	keys: ReadonlySet<string>,
): Promise<Snapshot | string> =>
	await readPlaces(client, keys).catch(
		(error: unknown) => serviceErrorOf(error).failure.description,
	);

/**
 * Whether an entry of the global list unsubscribes from everything although it has a group, as for the gate of consent:
 * the list of its group does not show it.
 */
const isInNoGroup = ({ place, source, isDeleted, listId }: Found, found: readonly Found[]) =>
	place !== source &&
	!isDeleted &&
	!found.some((one) => one.source === place && one.listId === listId && !one.isDeleted);

/** Each record once. An entry of a group that is also on the global list counts for the group. */
function snapshotOf(keys: ReadonlySet<string>, matches: readonly Match[]): Snapshot {
	const people = new Map([...keys].map((key) => [key, new Map<string, Found>()]));
	for (const { key, found } of matches) {
		const records = people.get(key);
		const record = recordKey(found);
		if (records && !records.has(record)) records.set(record, found);
	}
	const snapshot = new Map([...people].map(([key, records]) => [key, [...records.values()]]));
	for (const found of snapshot.values())
		for (const one of found) one.isGlobal ||= isInNoGroup(one, found);
	return snapshot;
}
