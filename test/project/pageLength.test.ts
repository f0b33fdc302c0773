import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(__dirname, '..', '..', 'docs');

/** Looked up by the text of one error, which links to its section. Nobody reads it as a whole. */
const lookedUp = new Set(['troubleshooting.md']);

const pages = readdirSync(folder).filter((file) => file.endsWith('.md') && !lookedUp.has(file));

/** What a person reads: no code, no addresses, and nothing that a program wrote. */
function wordsOf(text: string): number {
	const prose = text
		.replace(/^ *```[^]*?^ *```$/gm, '')
		.replace(/<!-- written by[^]*?<!-- end of[^>]*-->/g, '')
		.replace(/\]\([^)]*\)/g, ']');
	return prose.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

it.each(pages)('docs/%s has at most 1,500 words', (page) => {
	expect(wordsOf(readFileSync(join(folder, page), 'utf8'))).toBeLessThanOrEqual(1_500);
});

test('README.md has at most 1,000 words, code included', () => {
	const text = readFileSync(join(folder, '..', 'README.md'), 'utf8');
	expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1_000);
});
