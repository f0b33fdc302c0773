import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { changes } from '../upgrades/changes';
import { interfaceNow, lines, withChanges, type Interface } from '../upgrades/interface';

const file = join(__dirname, '../upgrades/interface.json');
const root = join(__dirname, '../..');
/** Set by `npm run freeze`. */
const isWriting = process.env.FREEZE === '1';
const releases = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## \[\d.*$/gm) ?? [];
const now = interfaceNow();

if (isWriting && releases.length === 0) {
	writeFileSync(file, `${JSON.stringify(now, null, 2)}\n`);
}
const frozen = JSON.parse(readFileSync(file, 'utf8')) as Interface;

test('nothing that workflows depend on has changed: before the first release, run "npm run freeze"; after it, list the change in test/upgrades/changes.ts', () => {
	const expected = withChanges(lines(frozen), changes);
	const present = lines(now);
	const isIn = (these: readonly string[]) => {
		const known = new Set(these);
		return (line: string) => known.has(line);
	};
	expect({
		added: present.filter((line) => !isIn(expected)(line)),
		removed: expected.filter((line) => !isIn(present)(line)),
	}).toEqual({ added: [], removed: [] });
});

test('before the first release, nothing is listed', () => {
	if (releases.length === 0) expect(changes).toEqual([]);
	for (const { version } of changes) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each([
	['parameter', 'emailMarketing contact parameter missing options'],
	['parameter of an operation', 'emailMarketing contact.sync has missingContactTypeId'],
	['value', 'emailMarketing contact value operation = sync'],
	['value of the trigger', 'emailMarketingTrigger value events = singleSendStatusChanged'],
	['field of the credential', 'emailMarketingApi parameter secretKey string'],
	['key of the output', 'output contact.sync contactId integer'],
	['error code', 'error state-unreadable'],
	['format of a state', 'state sync 3'],
])('part of it: %s', (_what, start) => {
	expect(lines(now).filter((line) => line.startsWith(start))).toHaveLength(1);
});

test('a listed change takes and adds its lines, and one that fits nothing is refused', () => {
	const change = { version: '1.0.0', removed: ['b'], added: ['c'] };
	expect(withChanges(['a', 'b'], [change])).toEqual(['a', 'c']);
	expect(() => withChanges(['a'], [change])).toThrow('1.0.0 removes what is not there: b');
	expect(() => withChanges(['a', 'b', 'c'], [change])).toThrow('1.0.0 adds what is there: c');
});
