import type { Fields } from '../api/form';
import { coerceText } from '../util/coerce';
import type { Finding } from './findings';

/** Letters below which capitals are no sign of anything, such as in "NEW". */
const leastLetters = 10;

/** What spam filters and readers take for spam, by what it is called in the finding. */
const signs: Array<[name: string, isIn: (text: string) => boolean]> = [
	['mostly capital letters', isMostlyCapitals],
	['repeated exclamation or currency signs', (text) => /[!$€£]\s*[!$€£]/u.test(text)],
	['a web address', (text) => /https?:\/\/|\bwww\./i.test(text)],
];

function isMostlyCapitals(text: string): boolean {
	const letters = text.match(/\p{L}/gu) ?? [];
	const capitals = letters.filter((letter) => /\p{Lu}/u.test(letter));
	return letters.length >= leastLetters && capitals.length > letters.length / 2;
}

const finding = (code: string, problem: string): Finding => ({
	code,
	field: 'Preheader',
	problem,
	remedy: 'Write a preheader that adds to the subject.',
});

/** An empty preheader is a finding already: it is required. */
export function checkPreheader(fields: Fields): Finding[] {
	const preheader = coerceText(fields.preheader).trim();
	if (preheader === '') return [];
	if (preheader.toLowerCase() === coerceText(fields.subject).trim().toLowerCase()) {
		return [finding('preheaderSameAsSubject', '"Preheader" is the same text as "Subject"')];
	}
	const found = signs.filter(([, isIn]) => isIn(preheader)).map(([name]) => name);
	if (found.length === 0) return [];
	return [finding('preheaderSpam', `"Preheader" looks like spam, it has ${found.join(' and ')}`)];
}
