import fc from 'fast-check';

import {
	csvPart,
	encodeForm,
	safeFileName,
	StreamedForm,
	toForm,
} from '../../../nodes/EmailMarketing/service/form';
import { readMultipart, readPairs } from '../../simulation/form.ts';
import {
	effectSentence,
	isRejected,
	type Failure,
} from '../../../nodes/EmailMarketing/service/failure';

it('numbers the entries of a list, and leaves out what has no value', () => {
	expect(toForm({ a: '1', none: undefined, empty: '', list: ['x', 'y'], nothing: [] })).toEqual({
		a: '1',
		empty: '',
		'list[0]': 'x',
		'list[1]': 'y',
	});
});

const names = fc.stringMatching(/^\w{1,9}(?:\[\d\])?$/);
const values = fc.string({ unit: fc.oneof(fc.constantFrom('\r', '\n', '-', 'é'), fc.string()) });

it.each(['multipart/form-data', 'application/x-www-form-urlencoded'] as const)(
	'encodes any form as %s',
	(encoding) => {
		const forms = fc.dictionary(names, values, { noNullPrototype: true });
		fc.assert(
			fc.property(forms, (form) => {
				const { body, contentType } = encodeForm(encoding, form);
				const parts = contentType.startsWith('multipart')
					? readMultipart(Buffer.from(body), contentType)
					: readPairs(body);
				expect(parts).toEqual(
					Object.entries(form).map(([name, value]) => ({ name, value: value.toWellFormed() })),
				);
			}),
		);
	},
);

it('puts the file behind the fields of a form', async () => {
	const file = csvPart('people.csv', Buffer.from('email\n'));
	const form = new StreamedForm({ type: '3', ids: ['4'] }, 'file', file);
	expect(form[Symbol.toStringTag]).toBe('FormData');
	form.append('more', '5');
	const entries = [
		['type', '3'],
		['ids[0]', '4'],
		['file', file],
		['more', '5'],
	];
	expect(form.entries()).toEqual(entries);
	expect([...form]).toEqual(entries);
	expect(file).toMatchObject({ name: 'people.csv', type: 'text/csv', size: 6 });
	const chunks = [];
	for await (const chunk of file.stream()) chunks.push(chunk);
	expect(Buffer.concat(chunks).toString()).toBe('email\n');
});

it.each([
	['people.csv', 'people.csv'],
	['/home/me/people.csv', 'people.csv'],
	['C:\\lists\\people.csv', 'people.csv'],
	['a"b\r\n\0c.csv', 'a_b___c.csv'],
	['', ''],
])('names the file %j %j', (name, safe) => {
	expect(safeFileName(name)).toBe(safe);
});

describe('a failure', () => {
	const failure = (rest: Partial<Failure>): Failure => ({
		code: 'field-rejected',
		message: 'No',
		description: '',
		effect: 'none',
		httpCode: '422',
		...rest,
	});

	it.each<[Partial<Failure>, boolean]>([
		[{}, true],
		[{ retryable: false }, true],
		[{ retryable: true }, false],
		[{ effect: 'unknown' }, false],
		[{ httpCode: undefined }, false],
	])('with %j is a refusal of the request itself: %s', (rest, rejected) => {
		expect(isRejected(failure(rest))).toBe(rejected);
	});

	it('says whether a write may have had its effect', () => {
		const write = { changesData: true };
		expect(effectSentence(write, 'none')).toBe('Nothing was changed.');
		expect(effectSentence(write, 'unknown')).toBe(
			'The request may have succeeded. Check the service before running it again.',
		);
		expect(effectSentence({ changesData: false }, 'unknown')).toBe('');
	});
});
