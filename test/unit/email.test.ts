import fc from 'fast-check';

import {
	clearAddress,
	knownAddress,
	readingsOf,
} from '../../nodes/EmailMarketing/util/addressesIn';
import { InvalidInput } from '../../nodes/EmailMarketing/params/invalidInput';
import { email, emailList } from '../../nodes/EmailMarketing/params/validators';
import { addressKey, isAddress } from '../../nodes/EmailMarketing/util/email';
import { planOf, item } from './contacts/builders';

/** What can stand in no address: spaces, control characters, and the comma that separates addresses. */
const forbidden = fc.constantFrom(
	...[' ', '\t', '\n', '\r', '\u00a0', '\u2028', '\u3000', '\ufeff'],
	...['\0', '\u0007', '\u001b', '\u007f', '\u0085', ','],
);
const isForbidden = (char: string) => /[\s,]|\p{Cc}/u.test(char);

const part = fc
	.string({ minLength: 1, maxLength: 60, unit: 'binary' })
	.map((text) => [...text].filter((char) => !isForbidden(char)).join(''))
	.filter((text) => text !== '');

/** Which entries of "Email" and of a list of addresses are refused, and by the sync. */
function refusals(address: string): boolean[] {
	const refuses = (encode: () => unknown) => {
		try {
			encode();
			return false;
		} catch (error) {
			if (!(error instanceof InvalidInput)) throw error;
			return true;
		}
	};
	const none = {} as never;
	return [
		refuses(() => email('').encode(address, 'Email', none)),
		refuses(() => emailList('').encode([address], 'Emails', none)),
		planOf([item(address, { country: 'DE' })], []).rows[0]?.action === 'failed',
	];
}

it.each([
	...["o'neill+news@example.com", 'a@[192.0.2.1]', '用户@例子.公司'],
	...['"quoted"@example.com', 'a..b@example.com', 'a@example.com.', 'a@-b.com'],
	...[`${'x'.repeat(250)}@a.b`],
])('leaves %s to the service', (address) => {
	expect(isAddress(address)).toBe(true);
	expect(refusals(address)).toEqual([false, false, false]);
});

it.each([
	...['a@b', 'name@localhost', 'ada@example.', 'ada@.com', 'ada@example..com', '-ada@example.com'],
])('takes %s for what is left of an address', (address) => {
	expect(clearAddress(address)).toBeUndefined();
	expect(refusals(address)[0]).toBe(true);
	expect(refusals(address)[2]).toBe(true);
});

it.each([
	...['nobody', '@', 'a@', '@b', 'a b@example.com', 'a@example .com', 'a@b,c@d', 'a@b\u0000.com'],
	...[`${'x'.repeat(251)}@a.b`],
])('refuses %j everywhere', (address) => {
	expect(isAddress(address)).toBe(false);
	expect(refusals(address)).toEqual([true, true, true]);
});

it.each([
	['Ada Okafor <ada@example.com>', '<ada@example.com>', '"Ada" <ada@example.com>;'],
	[
		'mailto:ada@example.com?subject=Hello',
		' ada@example.com, ',
		"'ada@example.com'",
		'(ada@example.com)',
	],
	['ada@example.com <ada@example.com>', 'ada@\u200bexample.com', 'ada@example.com.'],
])('takes one address out of what stands around it: %s, %s, %s', (...texts) => {
	expect(texts.map(clearAddress)).toEqual(texts.map(() => 'ada@example.com'));
	expect(texts.flatMap(refusals)).not.toContain(true);
});

it.each([
	['ａｄａ@example.com', 'ada@ｅｘａｍｐｌｅ.com', 'ada@example。com', 'ada＠example．com'],
	['"ada"@example.com', '"ada"@example。com', 'Ada ＜ada@example.com＞', 'ada@example.com。'],
])('sends one address in its usual form: %s, %s, %s, %s', (...texts) => {
	expect(texts.map(clearAddress)).toEqual(texts.map(() => 'ada@example.com'));
});

it('sends an address in a form that is its own usual form, and that of the same person', () => {
	const unit = fc.constantFrom(...'aZ1é\u0301ａ。．.-_"<> ™ﬁ\u200bß');
	const local = fc.string({ unit, minLength: 1, maxLength: 6 });
	fc.assert(
		fc.property(local, local, (one, other) => {
			const text = `${one}@${other}.com`;
			const address = clearAddress(text);
			fc.pre(address !== undefined);
			expect(clearAddress(address)).toBe(address);
			expect(readingsOf(text).map(addressKey)).toContain(addressKey(address));
		}),
	);
});

it.each([
	...['ada@example.com*', 'ada@example.com%20', 'ada@example.com!', 'ada@example.com\\'],
	...['ada@example.com#work', 'ada@example.com~', 'ada@example.com_', 'ada@example.com-'],
	...[
		'•ada@example.com',
		'→ada@example.com',
		'*ada@example.com',
		'[ada@example.com',
		'✉️ada@example.com',
	],
	...['Ada→ada@example.com', 'ada\\n@example.com', 'ada@[example.com]', '"•ada"@example.com'],
	...['ada@example.com™', 'ada@example.com¹', 'ada@example.co…', '"ada"@example.com*'],
	'a@b.com;c@d.com',
	'a@b.com c@d.com',
	'a@b.com <c@d.com>',
	'Ada a@b.com',
	'-ada@example.com',
	'+ada@example.com',
	'a;b@c.com',
	'a@b@c',
])('takes nobody for %s', (text) => {
	expect(clearAddress(text)).toBeUndefined();
	expect(knownAddress(text)).toBeUndefined();
});

it.each([
	'ada@my_host.example.com',
	'ada@paral·lel.cat',
	'ada@日本・語.jp',
	'+4917@sms.example.com',
])('takes %s for nobody new, but for somebody who may be known', (text) => {
	expect(clearAddress(text)).toBeUndefined();
	expect(knownAddress(text)).toBe(text);
});

it.each([
	'Ada–ada@example.com',
	...['ada@example.com_www.example.com', 'ada@example.com_ben.example.org'],
	'ada@example.com·ben.example.org',
	'张三、zhang@example.com',
	'Ada؛ada@example.com',
	'a‚bob@example.com',
])('takes %s for no address, since it may be more than one word', (text) =>
	expect(knownAddress(text)).toBeUndefined(),
);

it.each(['o’brien@example.com', 'col·legi@example.cat', 'ada@example.com'])(
	'takes %s for somebody who may be known',
	(text) => {
		expect(knownAddress(text)).toBe(text);
		expect(knownAddress(` <${text}> `)).toBe(clearAddress(` <${text}> `));
	},
);

it('takes any two parts around an @, up to 254 characters', () => {
	fc.assert(
		fc.property(part, part, (local, domain) => {
			const address = `${local}@${domain}`;
			expect(isAddress(address)).toBe(address.length <= 254);
		}),
	);
});

it('refuses what has a space, a control character or a comma anywhere in it', () => {
	fc.assert(
		fc.property(part, part, forbidden, fc.nat(), (local, domain, char, at) => {
			const address = `${local}@${domain}`;
			const position = at % (address.length + 1);
			expect(isAddress(address.slice(0, position) + char + address.slice(position))).toBe(false);
		}),
	);
});

it('refuses the same in a field and in a sync, and no more in a list of unsubscribes', () => {
	const text = fc.oneof(
		fc.string(),
		fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}`),
		fc.constantFrom('a@', '@b', 'a@b', 'a@b@c', 'a;b@c', 'a@b;c@d'),
	);
	fc.assert(
		fc.property(text, (given) => {
			const address = given.trim();
			fc.pre(address !== '');
			const [inField, inList, inSync] = refusals(address);
			expect(inSync).toBe(inField);
			if (!inField && !/;/.test(address)) expect(inList).toBe(false);
		}),
	);
});

it('separates the addresses of a list at commas, semicolons and line breaks', () => {
	const list = 'a@example.com; b@example.com,c@example.com\nd@example.com;';
	expect(emailList('').encode(list, 'Emails', {} as never)).toBe(
		'a@example.com,b@example.com,c@example.com,d@example.com',
	);
});

describe('the form in which addresses are compared', () => {
	it('is that of people for ASCII: without case and surrounding spaces', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
				fc.pre(!text.trim().startsWith('"'));
				expect(addressKey(` ${text.toUpperCase()} `)).toBe(text.trim().toLowerCase());
			}),
		);
	});

	it('is the same for the encodings of any address', () => {
		fc.assert(
			fc.property(part, part, (local, domain) => {
				const address = `${local}@${domain}`;
				expect(addressKey(address.normalize('NFD'))).toBe(addressKey(address.normalize('NFC')));
			}),
		);
	});

	it.each([
		['a@müller.example', 'a@xn--mller-kva.example'],
		['a@MÜLLER.example', 'a@müller.example'],
		['a\u200b@example.com', 'a@example.com'],
		['"Ada"@example.com', 'ada@example.com'],
		['"ada.b+c"@example.com', 'ada.b+c@example.com'],
		['"adé"@example.com', 'ade\u0301@example.com'],
		...['\u2019', '\u2018', '\u02bc', '\u2032', '\uff07'].map((mark): [string, string] => [
			`O${mark}Brien@example.com`,
			"o'brien@example.com",
		]),
		...['\u2010', '\u2011', '\u2013', '\u2212', '\uff0d'].map((dash): [string, string] => [
			`mary${dash}jane@example.com`,
			'mary-jane@example.com',
		]),
	])('is the same for %j and %j', (one, other) => {
		expect(addressKey(one)).toBe(addressKey(other));
	});

	it.each([
		['a@ü.example/x', 'a@ü.example'],
		['a+b@example.com', 'a@example.com'],
		['"a b"@example.com', 'a b@example.com'],
		['"a..b"@example.com', 'a..b@example.com'],
		['".a"@example.com', '.a@example.com'],
		['"a\\"b"@example.com', 'a\\"b@example.com'],
		['"a"b@example.com', 'ab@example.com'],
		['""@example.com', '@example.com'],
		['straße@example.com', 'strasse@example.com'],
	])('differs for %j and %j', (one, other) => {
		expect(addressKey(one)).not.toBe(addressKey(other));
	});
});
