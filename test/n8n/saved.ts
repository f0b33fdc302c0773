import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { readContext } from './setup/context.ts';

/** Of the n8n that all test files share. */
export const userFolder = join(readContext().folder, 'n8n');

/** All that n8n has saved; credentials are encrypted. */
export function savedByN8n(): string {
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'), {
		readOnly: true,
	});
	const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
	const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${name}"`).all());
	database.close();
	return JSON.stringify(rows);
}
