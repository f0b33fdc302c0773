import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json';
import { checkChangelog, notesOf } from '../../../scripts/lib/release/changelog.ts';

const today = '2026-11-22';
const check = (text: string, version = '1.2.0') => checkChangelog(text, version, today);
const released = '# Changelog\n\n## [1.2.0] - 2026-11-20\n\n- Something new.\n';

it('accepts a dated heading of the version, with entries', () => {
	expect(check(released)).toEqual({ problems: [], pending: [] });
	expect(check(released.replace('\n## ', '\n## [Unreleased]\n\n## '))).toEqual({
		problems: [],
		pending: [],
	});
});

it.each([
	['an earlier version', released.replace('1.2.0', '1.1.0'), 'the newest version is 1.1.0'],
	['no version', '# Changelog\n', 'the newest version is missing'],
	['no entries', '## [1.2.0] - 2026-11-20\n', 'nothing stands under 1.2.0'],
	['a day that does not exist', released.replace('11-20', '02-30'), 'has no date such as'],
	['a date of another form', released.replace('2026-11-20', '20.11.2026'), 'has no date such as'],
	['a date in the future', released.replace('11-20', '11-23'), 'has a date in the future'],
	[
		'entries that would be left out',
		released.replace('## ', '## [Unreleased]\n\n- Not yet.\n\n## '),
		'move the entries under "Unreleased"',
	],
])('refuses %s', (_, text, problem) => {
	expect(check(text).problems).toEqual([expect.stringContaining(problem)]);
});

it.each([
	['a version without a date', '## [1.2.0]\n\n- New.\n', 'make it "## [1.2.0] - 2026-11-22"'],
	['a version without brackets', '## 1.2.0\n\n- New.\n', 'make it "## [1.2.0] - 2026-11-22"'],
	['entries under Unreleased alone', '## [Unreleased]\n\n- New.\n', '"## [1.2.0] - 2026-11-22"'],
	[
		'entries above an earlier version',
		`## [Unreleased]\n\n- New.\n\n${released.replace('1.2.0', '1.1.0')}`,
		'change the heading "Unreleased"',
	],
])('has %s left to do', (_, text, left) => {
	expect(check(text)).toEqual({ problems: [], pending: [expect.stringContaining(left)] });
});

it('takes the notes of a release from its section alone', () => {
	const text = `${released}\n### Fixed\n\n- A bug.\n\n## [1.1.0] - 2026-01-01\n\n- Old.\n`;
	expect(notesOf(text, '1.2.0')).toBe('- Something new.\n\n### Fixed\n\n- A bug.');
	expect(notesOf(text, '3.0.0')).toBe('');
});

it('finds the version of package.json in the changelog of this repository', () => {
	const text = readFileSync(join(__dirname, '..', '..', '..', 'CHANGELOG.md'), 'utf8');
	const day = new Date().toISOString().slice(0, 10);
	expect(checkChangelog(text, manifest.version, day).problems).toEqual([]);
});
