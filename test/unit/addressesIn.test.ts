import fc from 'fast-check';

import {
	addressesIn,
	clearAddress,
	isPartlyUnread,
} from '../../nodes/EmailMarketing/util/addressesIn';

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

test.each(['.', '?', ' ', "');", '<', '/', 'a@', 'mailto:', '”'])(
	'reads a text of %j that is so long that it would take minutes if each part were read again and again',
	(part) => {
		for (const text of [`a${part.repeat(300_000)}`, `a${part.repeat(300_000)}\nx@example.com`]) {
			for (const read of [addressesIn, clearAddress, isPartlyUnread]) {
				expect(() => read(`${text}!`)).not.toThrow();
			}
		}
	},
);
