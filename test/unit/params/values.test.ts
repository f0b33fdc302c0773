import { numberOf, numberOption } from '../../../nodes/EmailMarketing/params/givenOption';
import {
	asText,
	entriesOf,
	isBlank,
	isOn,
	isTarget,
	listOf,
	locatorMode,
	locatorValue,
	toFlag,
	wholeNumber,
} from '../../../nodes/EmailMarketing/params/values';
import { refusal } from './support';

it.each([
	[undefined, true],
	[null, true],
	['', true],
	[' \n', true],
	['a', false],
	[0, false],
	[false, false],
	[[], false],
])('whether %j is blank: %s', (value, blank) => {
	expect(isBlank(value)).toBe(blank);
});

it('reads the value and the mode of a resource locator', () => {
	const locator = { __rl: true, mode: 'email', value: 'a@example.com' };
	expect([locatorValue(locator), locatorMode(locator)]).toEqual(['a@example.com', 'email']);
	for (const other of ['a', null, undefined, 3, { mode: 'id', value: 3 }]) {
		expect([locatorValue(other), locatorMode(other)]).toEqual([other, undefined]);
	}
});

describe('a text', () => {
	it.each([
		['a', 'a'],
		[3, '3'],
		[-0.5, '-0.5'],
		[12n, '12'],
	])('is made of %p', (value, text) => {
		expect(asText(value, 'Name')).toBe(text);
	});

	it.each([NaN, Infinity, true, {}, null])('is not made of %p', (value) => {
		const [message, remedy] = refusal(() => asText(value, 'Name'));
		expect(message).toMatch(/^"Name" must be text, but it is /);
		expect(remedy).toBe('Set "Name" to a single text value, such as one field of the input.');
	});
});

it.each([
	[' a, b ;c\n;, d', ['a', 'b', 'c', 'd']],
	[
		['a ', 3, '', null, '  ', { __rl: true, value: 'b' }],
		['a', '3', 'b'],
	],
	[7, ['7']],
	['', []],
	[null, []],
])('reads %j as a list', (value, list) => {
	expect(listOf(value, 'Names')).toEqual(list);
});

it.each([
	['a,, b', ['a', '', 'b']],
	[
		[null, ' ', 3],
		['', '', '3'],
	],
	[Object.assign(Array(3) as unknown[], { 0: 1, 2: 3 }), ['1', '', '3']],
	[',', ['', '']],
	[[], []],
	['', []],
])('reads %j as a list that shows what is empty', (value, list) => {
	expect(entriesOf(value, 'Names')).toEqual(list);
});

it.each([
	[3, '3'],
	[' 007 ', '7'],
	['9'.repeat(15), '9'.repeat(15)],
])('reads %j as a whole number', (value, number) => {
	expect(wholeNumber(value, 'Count', 'Enter one.')).toBe(number);
});

it.each(['9'.repeat(16), '1.5', '-1', '1e3', 'x1', '1x', 1e21, NaN])(
	'does not read %j as a whole number',
	(value) => {
		expect(refusal(() => wholeNumber(value, 'Count', 'Enter one.'))).toEqual([
			expect.stringMatching(/^"Count" must be a whole number, but it is "/),
			'Enter one.',
		]);
	},
);

it('says how to set a flag', () => {
	expect(toFlag('', 'Active')).toBeUndefined();
	for (const value of ['yes', 2, [], {}]) {
		expect(refusal(() => toFlag(value, 'Active'))).toEqual([
			expect.stringMatching(/^"Active" must be true or false, but it is "/),
			'Turn it on or off, or return true or false from the expression.',
		]);
	}
});

it.each([
	['true', true, true],
	[' FALSE ', false, false],
	[1, true, true],
	['', false, true],
	[undefined, false, true],
])('reads %j as on or off: %s, or %s if it is on by default', (value, isSet, isPreset) => {
	expect([isOn(value, 'Active'), isOn(value, 'Active', true)]).toEqual([isSet, isPreset]);
});

it.each([
	['contacts_3', true],
	[`segments_${'9'.repeat(15)}`, true],
	[`segments_${'9'.repeat(16)}`, false],
	['contacts_0', false],
	['contacts_', false],
	['contacts_3a', false],
	['my_contacts_3', false],
	['lists_3', false],
])('whether %s is a target: %s', (text, is) => {
	expect(isTarget(text)).toBe(is);
});

describe('an option that is a number', () => {
	const option = (options: Record<string, string | number>, least = 1) =>
		numberOption(options, 'most', 'Most', least);

	it('is left out, or at least so much', () => {
		expect(option({})).toBeUndefined();
		expect(option({ most: 1 })).toBe(1);
		expect(option({ most: ' 2.5 ' })).toBe(2.5);
		expect(numberOf(0, 'Most', 0)).toBe(0);
	});

	it.each([0, 'many', '', Infinity, NaN])('is not %j', (value) => {
		expect(refusal(() => option({ most: value }))).toEqual([
			expect.stringMatching(/^"Most" must be a number of at least 1, but it is /),
			'Enter a valid number, or remove the option.',
		]);
	});
});
