import { readEach } from '../../../nodes/EmailMarketing/service/envelope';
import { parseList } from '../../../nodes/EmailMarketing/service/json';

const read = (text: string) =>
	parseList(Buffer.from(text), 'contacts', (record) => record) as {
		body: unknown;
		picked: unknown[];
	};
const response = (list: string) => `{"status":"success","message":{"contacts":${list}}}`;
const empty = { status: 'success', message: { contacts: [] } };

/** 3,000 records of 300 bytes: more than is parsed at once. */
const records = Array.from({ length: 3_000 }, (_, id) => ({
	id,
	email: `person${id}@example.com`,
	note: '"},{" 😀 ]}'.repeat(20),
	contact_type: { id: 21, names: [{ a: 1 }, { a: 2 }] },
}));

test.each([
	['as the service sends it', JSON.stringify(records)],
	['laid out for people', JSON.stringify(records, undefined, 2)],
])('a long list %s is read by parts', (_, list) => {
	expect(read(response(list))).toEqual({ body: empty, picked: records });
});

test('a response laid out for people is read by parts as a whole', () => {
	const whole = { status: 'success', message: { contacts: records } };
	expect(read(` \r\n${JSON.stringify(whole, undefined, '\t')}`)).toEqual({
		body: empty,
		picked: records,
	});
});

test('a byte order mark is no part of the text', () => {
	expect(read(`\ufeff${response('[{"id":1}]')}`)).toEqual({ body: empty, picked: [{ id: 1 }] });
});

test.each([
	['the same list twice', `{"message":{"contacts":[1],"contacts":[2]}}`],
	['the same message twice', `{"message":{"contacts":[1]},"message":{"contacts":[2]}}`],
	['a message that is replaced', `{"message":{"contacts":[1]},"mess\\u0061ge":null}`],
	['keys in another spelling', `{"message":{"cont\\u0061cts":[1]}}`],
	['a list in another place', `{"contacts":[1]}`],
	['a list that is none', response('{"0":1}')],
	['a message that is none', `{"message":"contacts"}`],
	['a list in the member behind the message', '{"message":{"other":1},"contacts":[1]}'],
	['a message that is a list with the same text', '{"message":["contacts",[1]]}'],
	['no object', '[{"message":1}]'],
	['a failure', `{"status":"failed","errors":"Record not found"}`],
])('%s is read in one piece', (_, text) => {
	expect(read(text)).toEqual({ body: JSON.parse(text), picked: [] });
});

test.each(['[1,]', '[,1]', '[1,,2]', '[1}', '[{]}', '[1 2]', '[', '[1', '["1]', '[1]]', "['1']"])(
	'the list %s is no JSON',
	(list) => {
		const text = response(list);
		const whole = { body: text, picked: [] };
		expect(read(text)).toEqual(whole);
		// With parts so small that each ends behind a record.
		expect(parseList(Buffer.from(text), 'contacts', (record) => record, 0)).toEqual(whole);
	},
);

test('of a long text that is no JSON, the beginning is returned', () => {
	const { body } = read(`<html>${'x'.repeat(1_000_000)}`);
	expect(body).toBe(`<html>${'x'.repeat(65_530)}`);
});

describe('failures are those of a list that is read in one piece', () => {
	const info = { changesData: false };
	const failureOf = (text: string) => () =>
		readEach(
			{ statusCode: 200, headers: {}, body: Buffer.from(text) },
			{ key: 'contacts' },
			info,
			(record) => record,
		);

	test.each([
		['a record that is none', response('[{"id":1},null]'), 'an entry that is not a record'],
		['a list that is missing', '{"status":"success","message":{}}', 'the list "contacts"'],
		['a list of a failure', '{"message":{"contacts":[]},"status":"failed"}', 'no reason given'],
		['a web page', '<html>', 'a web page instead of data'],
		['a response that breaks off', response('[{"id":1}').slice(0, -2), 'that cannot be read'],
		['nothing', '', 'an empty response'],
	])('%s', (_, text, message) => {
		expect(failureOf(text)).toThrow(message);
	});
});
