import { DatabaseSync } from 'node:sqlite';

/** A write at which n8n is to stand still, in the words that SQLite has for triggers. */
export interface Halt {
	write: 'INSERT ON execution_entity' | `UPDATE OF ${string} ON ${string}`;
	/** Which of those writes; all unless given. */
	when?: string;
}

/** How long a write of n8n takes at most, unless it stands still. */
const longestWriteMs = 1_000;

/** How long to wait for n8n to end its write on a machine with other work to do. */
const patienceMs = 120_000;

/** The SQLite file of an n8n, which is looked at and changed behind its back. */
export class N8nDatabase {
	private readonly file: string;

	constructor(file: string) {
		this.file = file;
	}

	private use<T>(work: (db: DatabaseSync) => T, timeout = patienceMs): T {
		const db = new DatabaseSync(this.file, { timeout });
		try {
			return work(db);
		} finally {
			db.close();
		}
	}

	/** What n8n would find if it were killed now. */
	rows(query: string): Array<Record<string, unknown>> {
		return this.use((db) => db.prepare(query).all());
	}

	/** From now on n8n begins such a write and never ends it: it stands still until it is killed. */
	haltAt({ write, when = 'TRUE' }: Halt): void {
		this.use((db) =>
			db.exec(`
				CREATE VIEW endless AS
					WITH RECURSIVE rows (row) AS (SELECT 1 UNION ALL SELECT 1 FROM rows) SELECT row FROM rows;
				CREATE TRIGGER halt BEFORE ${write} WHEN ${when} BEGIN SELECT count(*) FROM endless; END;
			`),
		);
	}

	/** Whether n8n stands still: it holds the lock for longer than any write takes. */
	isHalted(): boolean {
		return this.use((db) => {
			try {
				db.exec('BEGIN IMMEDIATE; ROLLBACK');
				return false;
			} catch (error) {
				if ((error as Error).message === 'database is locked') return true;
				throw error;
			}
		}, longestWriteMs);
	}

	/** Undoes `haltAt`, when n8n has been killed. */
	release(): void {
		this.use((db) => db.exec('DROP TRIGGER halt; DROP VIEW endless'));
	}
}
