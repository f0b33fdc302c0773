import fc from 'fast-check';

import { addressesIn, clearAddress } from '../../nodes/EmailMarketing/util/addressesIn';
import { mayBeAnyones } from '../../nodes/EmailMarketing/util/mayBeAnyones';

test.each([
	['ada@example.com'],
	[' ada@example.com '],
	['Ada <ada@example.com>'],
	['"Okafor, Ada" <ada@example.com>'],
	['mailto:ada@example.com'],
	['MAILTO:ada@example.com?subject=Hello'],
	['<mailto:ada@example.com>'],
	['ben@example.com; ada@example.com'],
	['ben@example.com,ada@example.com'],
	['ben@example.com/ada@example.com'],
	['ben@example.com ada@example.com'],
	['ben@example.com\nada@example.com'],
	['Write to ada@example.com.'],
	["'ada@example.com"],
	['(ada@example.com)'],
	['[ada@example.com](mailto:ada@example.com)'],
	['\u200bada@exam\u00adple.com\ufeff'],
	['“ada@example.com”'],
	['„ada@example.com“'],
	['«ada@example.com», ben@example.com'],
	['Ada <ada＠example.com>'],
	['Ada ＜ada﹫example.com＞'],
	['ada@example.com*'],
	['ada@example.com%20'],
	['%20ada@example.com'],
	['ada@example.com\\'],
	['ada@example.com#work'],
	['_ada@example.com_'],
	['•ada@example.com'],
	['Ada→ada@example.com'],
	['ada@example.com™'],
	['ada@example.com¹'],
	['ben@example.com*ada@example.com!'],
])('finds the address in %j', (text) => {
	expect(addressesIn(text)).toContain('ada@example.com');
});

test.each([
	["o'brien@example.com"],
	['o’brien@example.com'],
	["mailto:o'brien@example.com"],
	['ada+news@example.com'],
	['a/b@example.com'],
	['zoë@exämple.com'],
])('finds the whole address in %j', (text) => {
	expect(addressesIn(`Name <${text}>`)).toContain(text.replace('mailto:', ''));
});

test.each(['', 'Ada', 'at home', '@ada', 'ada@', '12 @ 5', 'a @ b'])('finds none in %j', (text) => {
	expect(addressesIn(text)).toEqual([]);
});

test('finds every address that stands between others', () => {
	const word = fc.string({ unit: fc.constantFrom(...'abc019._+-'), minLength: 1, maxLength: 8 });
	const address = fc.tuple(word, word).map(([local, domain]) => `${local}@${domain}`);
	const between = fc.constantFrom(' ', ', ', ';', '\n', ' / ', '> <', '" <');
	fc.assert(
		fc.property(fc.array(fc.tuple(address, between), { minLength: 1 }), (parts) => {
			const found = addressesIn(parts.map((part) => part.join('')).join(''));
			for (const [one] of parts) expect(found).toContain(one);
		}),
	);
});

/** Symbols, none of which can be a part of an address where it stands. */
const symbols = (allowed: string) => {
	const ascii = [...'!#$%*^~{}[]\\|;<>()"\'`=?&/:_+-.'].filter((char) => !allowed.includes(char));
	const others = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 });
	const other = others.filter(
		(char) => /^(?![ -~])[\p{P}\p{S}]$/u.test(char) && !/[。｡．]/.test(char),
	);
	return fc.array(fc.oneof(fc.constantFrom(...ascii, '•', '→', '™', '¹', '…'), other), {
		maxLength: 3,
	});
};

test('an address between symbols is found, and nothing else is taken for an address', () => {
	const address = fc.constantFrom('ada@example.com', 'ada.b@exämple.co.uk', 'ada@例子.公司');
	fc.assert(
		fc.property(symbols('_+-'), address, symbols('.-'), (before, own, after) => {
			const text = before.join('') + own + after.join('');
			expect(addressesIn(text).map((one) => one.normalize())).toContain(own);
			expect([own, undefined]).toContain(clearAddress(text));
		}),
		{ numRuns: 600 },
	);
});

test.each(['.', '?', ' ', "');", '<', '/', 'a@', 'mailto:', '”', '@', '*', '-', '%20'])(
	'reads a text of %j that is so long that it would take minutes if each part were read again and again',
	(part) => {
		for (const text of [`a${part.repeat(100_000)}`, `a${part.repeat(100_000)}\nx@example.com`]) {
			for (const read of [addressesIn, clearAddress, mayBeAnyones]) {
				expect(() => read(`${text}!`)).not.toThrow();
			}
		}
	},
);

test.each([
	...['', ' - ', 'none', 'N/A', 'n / a', 'n.a.', '<NA>', 'null', '(unknown)', 'No Email', '???'],
	...['undefined', 'FALSE', '0', 'kein', 'Keine', 'k.A.', 'k. A.', 'unbekannt', 'nicht vorhanden'],
	...['none given', 'x', 'No email address', 'no e-mail on file', 'TBA', 'pending', '- / -'],
	...['Not available', 'aucun', 'ninguno', 'nessuno', 'keine E-Mail-Adresse', 'sin email'],
	...['ohne Mail', '\u2212', '✗', '❌\ufe0f', '∅', '€', '*', 'ｎｏｎｅ', 'none\u200b'],
])('%j names nobody', (text) => {
	expect(mayBeAnyones(text)).toBe(false);
});

test.each([
	...['ada@example.com; ben@example.com', 'ada@example.com,', 'ada@example.com | ben@example.com'],
	...['ada@example.com ben@example.com', '<mailto:ada@example.com|ada@example.com>'],
	...['ada@example.com; -', 'ada@example.com, n/a', 'ada@example.com / ben@example.com'],
	...['"Okafor, Ada" <ada@example.com>, Ben <ben@example.com>', 'ben@example.com\nada@example.com'],
])('%j names nobody but those who are read in it', (text) => {
	expect(mayBeAnyones(text)).toBe(false);
});

test.each([
	...['#REF!', '#N/A', '#VALUE!', '[object Object]', 'call her', 'Ada', '12', '1/2', 'k.a@'],
	...['ada@example,com', 'ada@@example.com', 'ben@example com', 'ada at example dot com'],
	...['ada@example', 'ada@example.', 'ada@.com', 'ada@example..com', 'undefined@undefined'],
	...['b en@x.org', 'ben@example.co m', 'ann, lee@example.com', 'ann. lee@example.com'],
	...['o’brien@example.com', 'mary–jane@example.com', '-ada@example.com', 'ada@example.com*'],
	...['ada@example.com*ben@example.com', 'ada@example.com/ben', 'ada@example.com & ben'],
	...[
		'ada@example.com ben gmail com',
		'ada@example.com call ben',
		'ben gmail com,\nada@example.com',
	],
	...['ada@example.com, ben(at)example,com', 'ada@example.com, ad,a@example.org', 'none, ben'],
	...['na,dine@example.com', 'ada@example.com,na', 'ada@example.com, …', 'ada@example.com; \ufffd'],
	...[
		'ada@example.com, ###',
		'ada@example.com, █████',
		'ada@example.com, ...',
		'ada@example.com ? ben',
	],
	...['ada@example.com, ben', 'ada@example.com; b-example-com', 'ada@example.com, call her'],
	...['ada@example.com, 1000004.0', 'ada@example.com, +49 (0)30 12-34', 'ada@example.com, #REF!'],
	...['mailto:ada@example.com?bcc=ben@x.org', 'ada@example.com?ben@x.org'],
	...['email:', 'email: ada@example.com', 'no @ mail', '"ben at x.org", ada@x.org'],
	...['@', '@.', '@,@', '...', '.', '\uff20', '-@-', '。', '", "@'],
	...['########', '***', '…', '•••', '█████', '\ufffd\ufffd', '×××', '***-**-****', '＊＊＊'],
])("%j may be anyone's", (text) => {
	expect(mayBeAnyones(text)).toBe(true);
});

test("a text with a damaged address names the person, or may be anyone's", () => {
	const address = fc.constantFrom('ada@example.com', 'ben.li@mail.example.org');
	const other = fc.constantFrom('', 'cy@example.com, ', 'Cy <cy@example.com>; ', 'none, ');
	const damage = fc.constantFrom(' ', ',', ';', '@', ' at ', '(at)', '\n', '|', '"', '\t', ' , ');
	fc.assert(
		fc.property(address, other, damage, fc.nat(), (own, before, char, at) => {
			const position = 1 + (at % (own.length - 1));
			const text = before + own.slice(0, position) + char + own.slice(position);
			fc.pre(clearAddress(text) === undefined);
			if (addressesIn(text).includes(own)) return;
			expect(mayBeAnyones(text)).toBe(true);
		}),
		{ numRuns: 600 },
	);
});
