import type { Clock } from './clock.ts';
import { label, type Input, type Params } from './params.ts';
import { notFound, unknownReference, type Reply } from './replies.ts';
import type { Settings } from './settings.ts';
import type { Table, Tables } from './store.ts';
import { isoMicros } from './format.ts';

export interface Context {
	tables: Tables;
	clock: Clock;
	settings: Settings;
	/** When the verification mail of a sender was sent, by sender id. */
	verificationMails: Map<number, number>;
	/** Imports that have succeeded and whose contacts are not there yet. */
	imports: Array<{ due: number; finish: () => void }>;
}

/** Fields of one request that the reference does not allow together. */
export interface Conflict {
	field: string;
	words: string;
	rule: string;
}

export type Method = 'GET' | 'POST' | 'DELETE';

export interface Endpoint {
	/** As in the reference. */
	number: string;
	/** Of two, the first is shown in a sample request and the second listed. */
	methods: Method[];
	path: string;
	query: Params;
	body: Params;
	encoding: 'none' | 'multipart' | 'urlencoded';
	clears: boolean;
	conflict: (input: never) => Conflict | null;
	run: (input: never, context: Context) => Reply;
}

interface Row<Q extends Params, B extends Params> {
	number: string;
	method: Method | Method[];
	path: string;
	query?: Q;
	body?: B;
	urlencoded?: boolean;
	clears?: boolean;
	conflict?: (input: Input<Q> & Input<B>) => Conflict | null;
	run: (input: Input<Q> & Input<B>, context: Context) => Reply;
}

type None = Record<never, never>;

export function endpoint<Q extends Params = None, B extends Params = None>(
	row: Row<Q, B>,
): Endpoint {
	const encoding = row.urlencoded ? 'urlencoded' : row.body ? 'multipart' : 'none';
	return {
		number: row.number,
		methods: Array.isArray(row.method) ? row.method : [row.method],
		path: row.path,
		query: row.query ?? {},
		body: row.body ?? {},
		encoding,
		clears: row.clears ?? false,
		conflict: (row.conflict ?? (() => null)) as Endpoint['conflict'],
		run: row.run as Endpoint['run'],
	};
}

/** `The selected … is invalid.` for each name whose check failed; null when none did. */
export function unknownReferences(checks: Record<string, boolean>): Reply | null {
	const wrong = Object.keys(checks).filter((name) => !checks[name]);
	if (wrong.length === 0) return null;
	return unknownReference(
		Object.fromEntries(wrong.map((name) => [name, [`The selected ${label(name)} is invalid.`]])),
	);
}

export function stamps(now: number): { created_at: string; updated_at: string } {
	return { created_at: isoMicros(now), updated_at: isoMicros(now) };
}

/** Changes a row and its updated_at; fields that were not sent (undefined) stay. */
export function update<R extends { id: number; updated_at: string | null }>(
	table: Table<R>,
	row: R,
	fields: Partial<R>,
	now: number,
): R {
	const sent = Object.fromEntries(
		Object.entries(fields).filter(([, value]) => value !== undefined),
	);
	return table.change(row, { ...sent, updated_at: isoMicros(now) } as Partial<R>);
}

/** Deletes the rows that the entries name. With unknown ones among them nothing goes, unless settings.bulkUnknown is `skip`. */
export function deleteMany<R extends { id: number }>(
	entries: Array<R | undefined>,
	settings: Settings,
	text: 'Record Not Found' | 'Record not found',
	remove: (row: R) => void,
): Reply | null {
	const rows = entries.filter((row) => row !== undefined);
	const refuse =
		settings.bulkUnknown === 'refuse' ? rows.length < entries.length : rows.length === 0;
	if (refuse) return notFound(text);
	for (const row of rows) remove(row);
	return null;
}
