import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../service/client';
import { ServiceError } from '../../service/failure';
import { fetchEach } from '../../service/lists';
import { isPresent } from '../../records/recordKind';
import { readingsOf } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { settleAll } from '../../util/settleAll';
import { truncateList } from '../../util/text';
import { foundIn, parentName, placeNames, places, recordKey } from './places';
import type { Found, PlaceName, Source } from './places';

/** What all lists have of each person, by address key. */
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

/** Lists that a message names. */
const mostNamed = 3;
const noMatches: Match[] = [];

/** A list that was not read may have the person: nothing is said about anybody then. */
function unreadable(unread: readonly Unread[], { failure }: ServiceError): ServiceError {
	const { readOf: _, ...rest } = failure;
	const unreadLists = unread.map(({ list }) => list);
	const description = `${truncateList(unreadLists, mostNamed)} could not be read, so it is unknown what is stored there. ${rest.description}`;
	return new ServiceError({ ...rest, description, report: { unreadLists } });
}

function matchesIn(source: Source, record: IDataObject, keys: ReadonlySet<string>): Match[] {
	const matches = places[source.place].addresses.flatMap((field) =>
		readingsOf(coerceText(record[field]))
			.map(addressKey)
			.filter((key) => keys.has(key))
			.map((key) => ({ key, found: foundIn(source, record, field) })),
	);
	return matches.length === 0 ? noMatches : matches;
}

/**
 * What all lists have of people, each list read once. Addresses are compared in all their spellings.
 *
 * @param keys of the addresses, see `addressKey`
 * @throws ServiceError if a list cannot be read, with the names of all that cannot
 */
export async function readPlaces(client: Client, keys: ReadonlySet<string>): Promise<Snapshot> {
	const unread: Unread[] = [];
	const attempt = async <T>(list: string, reading: Promise<T[]>): Promise<T[]> =>
		await reading.catch((error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			unread.push({ list, error });
			return [];
		});
	const readList = async (place: PlaceName, parent?: IDataObject): Promise<Match[]> => {
		const { kind, title } = places[place];
		const query = parent && kind.parent && { [kind.parent.field]: coerceText(parent.id) };
		const source = { place, parent, readAt: '' };
		const pick = (record: IDataObject) => {
			source.readAt ||= new Date().toISOString();
			return matchesIn(source, record, keys);
		};
		const name = parent ? `${title}: ${parentName(source)}` : title;
		return (await attempt(name, fetchEach(client, kind.list, pick, query))).flat();
	};
	const readPlace = async (place: PlaceName): Promise<Match[]> => {
		const { title, parents } = places[place];
		if (!parents) return await readList(place);
		const all = await attempt(
			title,
			fetchEach(client, parents.list, (one) => one),
		);
		const present = all.filter((one) => isPresent(one, parents));
		const lists = await settleAll(present.map(async (parent) => await readList(place, parent)));
		return lists.flat();
	};
	const matches = (await settleAll(placeNames.map(readPlace))).flat();
	const [first] = unread;
	if (first) throw unreadable(unread, first.error);
	return snapshotOf(keys, matches);
}

/** Each record once; an entry of a group that the global list has as well is that of the group. */
function snapshotOf(keys: ReadonlySet<string>, matches: readonly Match[]): Snapshot {
	const people = new Map([...keys].map((key) => [key, new Map<string, Found>()]));
	for (const { key, found } of matches) {
		const records = people.get(key);
		const record = recordKey(found);
		if (records && !records.has(record)) records.set(record, found);
	}
	return new Map([...people].map(([key, records]) => [key, [...records.values()]]));
}
