import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Clock } from './clock.ts';
import type { Store } from './store.ts';

/**
 * Keeps the records in a SQLite file. Each request's changes are one transaction, committed before
 * the answer: with the write-ahead log they outlive the process, though not a power cut.
 */
export class Persistence {
	private readonly db: DatabaseSync;
	private readonly put: StatementSync;
	private readonly remove: StatementSync;
	private readonly note: StatementSync;
	private savedOffset: number | null = null;

	constructor(file: string) {
		this.db = new DatabaseSync(file);
		this.db.exec(`
			PRAGMA journal_mode = WAL;
			PRAGMA synchronous = OFF;
			CREATE TABLE IF NOT EXISTS records (
				tab TEXT NOT NULL, id INTEGER NOT NULL, json TEXT NOT NULL, PRIMARY KEY (tab, id)
			) WITHOUT ROWID;
			CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
		`);
		this.put = this.db.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?)');
		this.remove = this.db.prepare('DELETE FROM records WHERE tab = ? AND id = ?');
		this.note = this.db.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?)');
	}

	/** False when the file is new. */
	load(store: Store, clock: Clock): boolean {
		const notes = this.db.prepare('SELECT name, value FROM notes').all();
		if (notes.length === 0) return false;
		for (const { tab, json } of this.db.prepare('SELECT tab, json FROM records').iterate()) {
			store.named(String(tab))?.load(JSON.parse(String(json)));
		}
		for (const { name, value } of notes) {
			if (name === 'clock offset') clock.set(Date.now() + Number(value));
			// Ids of deleted records are not given out again.
			const table = store.named(String(name));
			if (table) table.nextId = Math.max(table.nextId, Number(value));
		}
		return true;
	}

	save(store: Store, clock: Clock): void {
		const changes = store.takeChanges();
		const offset = clock.now() - Date.now();
		const moved = this.savedOffset === null || Math.abs(offset - this.savedOffset) > 500;
		if (changes.length === 0 && !moved) return;
		this.db.exec('BEGIN');
		for (const { table, id, row } of changes) {
			if (row === null) this.remove.run(table, id);
			else this.put.run(table, id, JSON.stringify(row));
		}
		for (const name of new Set(changes.map(({ table }) => table))) {
			this.note.run(name, store.tables[name].nextId);
		}
		if (moved) this.note.run('clock offset', Math.round(offset));
		this.savedOffset = offset;
		this.db.exec('COMMIT');
	}

	clear(): void {
		this.db.exec('DELETE FROM records; DELETE FROM notes');
		this.savedOffset = null;
	}

	close(): void {
		this.db.close();
	}
}
