import type { Settings } from './settings.ts';
import type { Table } from './store.ts';
import { successList, type Reply } from './replies.ts';

interface Cached {
	json: string;
	dependsOn: unknown;
}

/**
 * Turns rows into JSON once: a row is never changed in place, so its text stays good as long as
 * the row and what it depends on (a contact's type) are the same objects.
 */
export class RowText<R extends object> {
	private readonly texts = new WeakMap<R, Cached>();
	private readonly show: (row: R, dependsOn: unknown) => unknown;

	constructor(show: (row: R, dependsOn: unknown) => unknown) {
		this.show = show;
	}

	of(row: R, dependsOn?: unknown): string {
		const cached = this.texts.get(row);
		if (cached && cached.dependsOn === dependsOn) return cached.json;
		const json = JSON.stringify(this.show(row, dependsOn));
		this.texts.set(row, { json, dependsOn });
		return json;
	}
}

const plain = new RowText<object>((row) => row);

/** The rows of a table in the order that the settings ask for. */
export function ordered<R extends { id: number }>(table: Table<R>, settings: Settings): R[] {
	const rows = table.all();
	return settings.listOrder === 'newest' ? rows.reverse() : rows;
}

export const listOf = (key: string, rows: object[]): Reply =>
	successList(
		key,
		rows.map((row) => plain.of(row)),
	);
