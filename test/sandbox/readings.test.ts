import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readings } from '../../sandbox/readings.ts';

it('docs/dev/readings.md has every reading, and no other', () => {
	const page = readFileSync(join(__dirname, '../../docs/dev/readings.md'), 'utf8');
	const rows = page.split('\n').filter((line) => line.startsWith('| `'));
	const named = rows.flatMap((row) =>
		[...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
	);
	expect(named.toSorted()).toEqual(Object.keys(readings).toSorted());
});
