import { blanks, FIRST_IDS } from './blanks.ts';
import type { Records, TableName } from './model.ts';

/** Rows are never changed in place: a change puts a new object, which is what the list cache relies on. */
export class Table<R extends { id: number }> {
	readonly name: TableName;
	version = 0;
	/** The time that a removed record gets in its field deleted_at; null where it is gone. */
	deletedAt: () => string | null = () => null;
	nextId: number;
	private readonly rows = new Map<number, R>();
	private readonly idByUtr = new Map<string, number>();
	private readonly blank: (id: number, now: number) => R;
	private readonly changed: (table: TableName, id: number, row: R | null) => void;

	constructor(
		name: TableName,
		blank: (id: number, now: number) => R,
		changed: (table: TableName, id: number, row: R | null) => void,
	) {
		this.name = name;
		this.blank = blank;
		this.changed = changed;
		this.nextId = FIRST_IDS[name];
	}

	get size(): number {
		return this.rows.size;
	}

	get(id: number): R | undefined {
		return this.rows.get(id);
	}

	byUtr(utr: string): R | undefined {
		const id = this.idByUtr.get(utr);
		return id === undefined ? undefined : this.rows.get(id);
	}

	values(): IterableIterator<R> {
		return this.rows.values();
	}

	all(): R[] {
		return [...this.rows.values()];
	}

	/** Adds a record; what is not given is filled with the table's blank values. */
	add(fields: Partial<R>, now: number): R {
		const id = fields.id ?? this.nextId;
		const row = { ...this.blank(id, now), ...fields };
		this.put(row);
		return row;
	}

	change(row: R, fields: Partial<R>): R {
		const next = { ...row, ...fields };
		this.put(next);
		return next;
	}

	put(row: R): void {
		this.load(row);
		this.changed(this.name, row.id, row);
	}

	/** Puts a row that is already on disk. */
	load(row: R): void {
		this.rows.set(row.id, row);
		const utr = (row as { utr?: string }).utr;
		if (utr !== undefined) this.idByUtr.set(utr, row.id);
		if (row.id >= this.nextId) this.nextId = row.id + 1;
		this.version++;
	}

	remove(id: number): void {
		const row = this.rows.get(id);
		if (!row) return;
		const deletedAt = 'deleted_at' in row ? this.deletedAt() : null;
		if (deletedAt !== null) {
			this.change(row, { deleted_at: deletedAt } as unknown as Partial<R>);
			return;
		}
		this.rows.delete(id);
		const utr = (row as { utr?: string }).utr;
		if (utr !== undefined) this.idByUtr.delete(utr);
		this.version++;
		this.changed(this.name, id, null);
	}

	clear(): void {
		this.rows.clear();
		this.idByUtr.clear();
		this.nextId = FIRST_IDS[this.name];
		this.version++;
	}
}

export type Tables = { [T in TableName]: Table<Records[T]> };

export interface Change {
	table: TableName;
	id: number;
	row: unknown;
}

/** All tables, and the changes since the last time they were taken for saving. */
export class Store {
	readonly tables: Tables;
	private pending: Change[] = [];
	private readonly saving: boolean;

	constructor(saving: boolean) {
		this.saving = saving;
		const changed = (table: TableName, id: number, row: unknown) => {
			if (this.saving) this.pending.push({ table, id, row });
		};
		const made = Object.keys(blanks).map((key) => {
			const name = key as TableName;
			return [name, new Table(name, blanks[name] as never, changed)];
		});
		this.tables = Object.fromEntries(made) as Tables;
	}

	/** A table by a name that came from outside. */
	named(name: string): Table<{ id: number }> | undefined {
		return Object.hasOwn(this.tables, name)
			? (this.tables[name as TableName] as unknown as Table<{ id: number }>)
			: undefined;
	}

	list(): Array<Table<{ id: number }>> {
		return Object.values(this.tables) as unknown as Array<Table<{ id: number }>>;
	}

	takeChanges(): Change[] {
		const changes = this.pending;
		this.pending = [];
		return changes;
	}

	clear(): void {
		for (const table of this.list()) table.clear();
		this.pending = [];
	}
}
