import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { markdown } from './table';

const page = join(__dirname, '..', '..', '..', 'docs', 'faults.md');
const begin = '<!-- written by npm run reference -->';
const end = '<!-- end of what is written by npm run reference -->';

it('docs/faults.md has the table that the tests go through, written by npm run reference', () => {
	const text = readFileSync(page, 'utf8');
	const [before, , after] = text.split(new RegExp(`(?:${begin}|${end})`));
	const wanted = [before, begin, `\n\n${markdown()}\n\n`, end, after].join('');
	if (process.env.EMAIL_MARKETING_REFERENCE === 'write' && after !== undefined) {
		writeFileSync(page, wanted);
	}
	expect(readFileSync(page, 'utf8')).toBe(wanted);
});
