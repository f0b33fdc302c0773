import {
	choice,
	email,
	emailList,
	flag,
	integer,
	isEmailKey,
	recordId,
	recordIds,
	recordKeys,
	target,
	targets,
	text,
	utr,
	type Input,
} from '../../../nodes/EmailMarketing/params/validators';
import { records } from '../../../nodes/EmailMarketing/records/records';
import { itemWith, refusal } from './support';

const encode = (input: Input, value: unknown, parameters = {}, mode?: string) =>
	input.encode(value, 'Field', itemWith(parameters), mode);
const refused = (input: Input, value: unknown, parameters = {}, mode?: string) =>
	refusal(() => encode(input, value, parameters, mode));

const addressForm =
	'An address begins with a letter or a digit, and has no spaces or commas. After the @, it has a domain with a dot, such as example.com.';
const people = records.contact;

/** Without the properties that are left to what is usual. */
const defined = (input: Input) =>
	Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

describe('what a field is', () => {
	it.each<[string, () => Input, Partial<Input>]>([
		['text', () => text('p'), { required: false, identifies: false }],
		['required text', () => text('p', { required: true }), { required: true }],
		['email', () => email('p'), { required: false, identifies: false }],
		['required email', () => email('p', { required: true }), { required: true }],
		['emailList', () => emailList('p'), { required: true, identifies: false }],
		['integer', () => integer('p'), { required: false, identifies: false }],
		['required integer', () => integer('p', { required: true }), { required: true }],
		['recordId', () => recordId('p'), { required: true, identifies: true }],
		[
			'optional recordId',
			() =>
				recordId('p', { required: false, identifies: 'groupId', label: 'Group', source: people }),
			{ required: false, identifies: 'groupId', label: 'Group', source: people },
		],
		['utr', () => utr('p', 'Send'), { required: true, identifies: true, label: 'Send' }],
		[
			'optional utr',
			() => utr('p', 'Send', { required: false, identifies: 'sourceUtr', source: people }),
			{ required: false, identifies: 'sourceUtr', source: people },
		],
		['flag', () => flag('p'), { required: true, identifies: false }],
		['choice', () => choice('p', ['a']), { required: true, identifies: false }],
		['recordIds', () => recordIds('p', 'IDs'), { required: true, identifies: 'ids', label: 'IDs' }],
		[
			'recordKeys',
			() => recordKeys('p', 'Sends'),
			{ required: true, identifies: true, label: 'Sends' },
		],
		['targets', () => targets('p'), { required: false, identifies: false }],
		['required targets', () => targets('p', { required: true }), { required: true }],
		['target', () => target('p'), { required: false, identifies: false }],
	])('%s', (_name, make, properties) => {
		// Made only now: what a test file makes while it is loaded belongs to no test.
		expect({ required: false, identifies: false, ...defined(make()) }).toMatchObject({
			parameter: 'p',
			...properties,
		});
	});
});

describe('a text', () => {
	const rules = text('p', { minLength: 2, maxLength: 3, pattern: /^\w+$/, expected: 'letters' });

	it('has no fewer and no more characters than its rules say', () => {
		expect(['ab', 'abc'].map((value) => encode(rules, value))).toEqual(['ab', 'abc']);
		expect(encode(text('p', { maxLength: 1 }), '😀')).toBe('😀');
		expect(refused(rules, 'a')).toEqual([
			'"Field" is too short: it must have at least 2 characters',
			'Enter at least 2 characters instead of "a".',
		]);
		expect(refused(text('p', { minLength: 2 }), ' a')).toEqual([
			'"Field" is too short: it must have at least 2 characters',
			'Enter at least 2 characters instead of " a".',
		]);
		expect(refused(rules, 'abcd')).toEqual([
			'"Field" is too long: it has 4 characters, but at most 3 are allowed',
			'Shorten it to at most 3 characters.',
		]);
	});

	it('has the form that its rules say', () => {
		expect(refused(rules, 'a-b')).toEqual(['"Field" is not valid: "a-b"', 'Use letters.']);
		expect(refused(text('p', { pattern: /^a/ }), 'b')[1]).toBe('Use another form.');
		expect(encode(text('p'), 'a')).toBe('a');
	});

	it('is none if it has only spaces', () => {
		expect(encode(text('p', { minLength: 2 }), ' ')).toBeUndefined();
		expect(encode(text('p'), '   ')).toBeUndefined();
	});
});

it('says what an email address looks like', () => {
	expect(encode(email('p'), ' a@example.com ')).toBe('a@example.com');
	expect(encode(email('p'), '  ')).toBeUndefined();
	expect(refused(email('p'), ' nobody ')).toEqual([
		'"Field" is not an email address: "nobody"',
		addressForm,
	]);
	expect(['a@b', '12'].map(isEmailKey)).toEqual([true, false]);
});

it('says how to separate email addresses', () => {
	expect(encode(emailList('p'), 'a@b.c, a@b.c; d@e.f')).toBe('a@b.c,d@e.f');
	expect(encode(emailList('p'), 'A@b.c, d@e.f, a@b.c')).toBe('a@b.c,d@e.f');
	expect(encode(emailList('p'), ' , ')).toBeUndefined();
	expect(refused(emailList('p'), 'a b c d e'.replaceAll(' ', ','))).toEqual([
		'"Field" accepts only email addresses, but it has "a", "b", "c" and 2 more',
		`${addressForm} Separate entries with commas, semicolons or line breaks.`,
	]);
});

describe('the ID of a record', () => {
	const byId = 'Choose "Field" from the list, or enter its numeric ID.';
	const byBoth = 'Choose "Field" from the list, or enter its numeric ID or its email address.';

	it('is a number other than 0', () => {
		expect(encode(recordId('p'), ' 007 ')).toBe('7');
		expect(encode(recordId('p'), ' ')).toBeUndefined();
		expect(refused(recordId('p'), 'x')).toEqual([
			'"Field" must be a whole number, but it is "x"',
			byId,
		]);
		expect(refused(recordId('p'), '00')).toEqual(['"Field" cannot be 0', byId]);
	});

	it('may be an address where records are found by it', () => {
		const input = recordId('p', { source: people });
		expect(encode(input, ' a@b.c ')).toBe('a@b.c');
		expect(encode(input, 7)).toBe('7');
		expect(refused(input, 'x')[1]).toBe(byBoth);
		expect(refused(input, '12', {}, 'email')).toEqual([
			'"Field" is not an email address: "12"',
			addressForm,
		]);
		expect(encode(input, '12', {}, 'id')).toBe('12');
	});

	it('is no address where they are not', () => {
		const source = records.contactType;
		for (const input of [recordId('p'), recordId('p', { source })]) {
			expect(refused(input, 'a@b.c')).toEqual([
				'"Field" must be a whole number, but it is "a@b.c"',
				byId,
			]);
		}
	});
});

it('says what a UTR looks like', () => {
	expect(encode(utr('p', 'Send'), ' a-1_b ')).toBe('a-1_b');
	expect(encode(utr('p', 'Send'), ' ')).toBeUndefined();
	expect(refused(utr('p', 'Send'), ' a b ')).toEqual([
		'"Field" is not valid: "a b"',
		'Choose from the list, or enter the UTR from an earlier node. A UTR consists of letters, digits and dashes, such as 0d6f7c3e-6a34-4d7c-9a54-1b1f0c6c2d11.',
	]);
});

it('says which values can be chosen', () => {
	expect(encode(choice('p', ['a', 'b']), ' b ')).toBe('b');
	expect(encode(choice('p', ['a', 'b']), ' ')).toBeUndefined();
	expect(refused(choice('p', ['a', 'b']), ' c ')).toEqual([
		'"Field" cannot be "c"',
		'Choose one of: a, b.',
	]);
});

describe('several records', () => {
	const remedy = (names: string) =>
		`Choose from the list, or enter ${names} as an array or separated by commas.`;

	it('are IDs', () => {
		expect(encode(recordIds('p', 'IDs'), '3, 4, 3')).toEqual(['3', '4']);
		expect(encode(recordIds('p', 'IDs'), [])).toBeUndefined();
		expect(refused(recordIds('p', 'IDs'), 'a@b.c')).toEqual([
			'"IDs" accepts only IDs, but it has "a@b.c"',
			remedy('IDs'),
		]);
	});

	it('are IDs or addresses where records are found by those', () => {
		const input = recordIds('p', 'IDs', { source: people });
		expect(encode(input, ['3', 'a@b.c'])).toEqual(['3', 'a@b.c']);
		expect(refused(input, '3, x, y, z, w')).toEqual([
			'"IDs" accepts only IDs and email addresses, but it has "x", "y", "z" and 1 more',
			remedy('IDs and email addresses'),
		]);
	});

	it('are IDs or UTRs, as chosen', () => {
		const input = recordKeys('p', 'Sends');
		const byUtr = { 'options.identifyBy': 'utr' };
		expect(encode(input, '3')).toEqual(['3']);
		expect(encode(input, 'a-1', byUtr)).toEqual(['a-1']);
		expect(refused(input, 'a-1')).toEqual([
			'"Sends" accepts only IDs, but it has "a-1"',
			remedy('IDs'),
		]);
		expect(refused(input, 'a b', byUtr)).toEqual([
			'"Sends" accepts only UTRs, but it has "a b"',
			remedy('UTRs'),
		]);
		expect(input.identifiesAs?.(itemWith())).toBe('ids');
		expect(input.identifiesAs?.(itemWith(byUtr))).toBe('utrs');
	});
});

describe('contact types and segments', () => {
	const remedy =
		'Choose from the list, or enter IDs such as contacts_3 for a contact type or segments_8 for a segment.';

	it('are several', () => {
		expect(encode(targets('p'), 'contacts_3, segments_8, contacts_3')).toEqual([
			'contacts_3',
			'segments_8',
		]);
		expect(encode(targets('p'), ' , ')).toBeUndefined();
		expect(refused(targets('p'), 'a, b, contacts_3, c, d')).toEqual([
			'"Field" accepts only contact types and segments, but it has "a", "b", "c" and 1 more',
			remedy,
		]);
	});

	it('are one', () => {
		expect(encode(target('p'), ' contacts_3 ')).toBe('contacts_3');
		expect(encode(target('p'), ' ')).toBeUndefined();
		expect(refused(target('p'), 'contacts_3, contacts_4')[1]).toBe(remedy);
	});
});
