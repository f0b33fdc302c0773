import {
	isNotFound,
	readEach,
	readEnvelope,
	readList,
	readRecord,
	readRecords,
	tooLong,
} from '../../../nodes/EmailMarketing/service/envelope';
import type { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import type {
	Failure,
	HttpResponse,
	RequestInfo,
} from '../../../nodes/EmailMarketing/service/failure';

const read: RequestInfo = { changesData: false };
const write: RequestInfo = { changesData: true };
const unclear = 'The request may have succeeded. Check the service before running it again.';
const whenLost = (remedy: string): string =>
	[unclear, remedy.replace(/^Try again(?: later)?\. ?/, '')].join(' ').trim();

const response = (
	statusCode: number,
	body?: unknown,
	headers: HttpResponse['headers'] = {},
): HttpResponse => ({ statusCode, headers, body });
const success = (message: unknown, statusCode = 200) =>
	response(statusCode, { status: 'success', message });
const refusal = (errors: unknown, statusCode = 200, headers?: HttpResponse['headers']) =>
	response(statusCode, { status: 'failed', errors }, headers);

function failureOf(call: () => unknown): Failure {
	try {
		call();
	} catch (error) {
		return (error as ServiceError).failure;
	}
	throw new Error('It did not fail');
}

/** The failure of a write with this response. */
const writeFailure = (given: HttpResponse, info = write): Failure =>
	failureOf(() => readEnvelope(given, info));

describe('a success', () => {
	it.each([200, 201, 299])('has HTTP %i', (status) => {
		expect(readEnvelope(success({ id: 1 }, status), write)).toEqual({ id: 1 });
	});

	it.each([
		['under errors elsewhere', 'Deleted Successfully', read],
		['of a failure', 'Record Not Found', { ...read, confirmsUnderErrors: true }],
		['of a rejected field', { id: ['Invalid'] }, { ...read, confirmsUnderErrors: true }],
	])('confirms nothing with the text %s, whatever its message', (_what, errors, of) => {
		for (const message of [undefined, [], 'Deleted Successfully', { contacts: [] }]) {
			const contradiction = response(200, { status: 'success', message, errors });
			expect(failureOf(() => readEnvelope(contradiction, of))).toEqual(
				unexpected('it reports success together with errors'),
			);
		}
	});

	it.each([[[]], [{}], [''], [null]])('may have no errors, as %j, and no message', (errors) => {
		expect(readEnvelope(response(200, { status: 'success', errors }), write)).toBeUndefined();
	});

	it('may confirm under errors', () => {
		const deleted = response(200, { status: 'success', errors: 'Deleted' });
		expect(readEnvelope(deleted, { ...write, confirmsUnderErrors: true })).toBe('Deleted');
	});

	it.each([
		[100, 'The service returned a response that cannot be read'],
		[199, 'The service returned a response that cannot be read'],
		[300, 'The service responded with a redirect. To protect your keys, it was not followed'],
		[304, 'The service returned a response that cannot be read'],
		[399, 'The service responded with a redirect. To protect your keys, it was not followed'],
		[400, 'The service rejected the request without a reason (HTTP 400)'],
		[500, 'The service is temporarily unavailable (HTTP 500)'],
	])('is none with HTTP %i', (status, message) => {
		expect(writeFailure(success({ id: 1 }, status))).toMatchObject({
			message,
			httpCode: `${status}`,
		});
	});
});

describe('a redirect', () => {
	it.each([
		[301, 'unknown'],
		[302, 'unknown'],
		[307, 'none'],
		[308, 'none'],
	])('with HTTP %i is not followed', (status, effect) => {
		const remedy =
			'Set "Base URL" in the credential to the final address of the service, for example with https:// instead of http://.';
		expect(writeFailure(response(status))).toEqual({
			code: 'redirected',
			message: 'The service responded with a redirect. To protect your keys, it was not followed',
			description: effect === 'none' ? `${remedy} Nothing was changed.` : whenLost(remedy),
			effect,
			httpCode: `${status}`,
			retryable: false,
			retryAfterMs: undefined,
		});
	});
});

describe('a rate limit', () => {
	it('says when to try again', () => {
		expect(writeFailure(response(429, undefined, { 'retry-after': '30' }))).toEqual({
			code: 'rate-limit-reached',
			message: 'Rate limit reached (HTTP 429)',
			description:
				'Retry after 30 seconds. If this happens often, lower "Parallel Requests" in Options, or set a pause under "Batching" in Request Options; let a trigger poll less often. Nothing was changed.',
			effect: 'none',
			httpCode: '429',
			retryable: true,
			retryAfterMs: 30_000,
		});
	});
});

describe('a refusal', () => {
	const rejected = (rest: Partial<Failure>): Failure => ({
		code: 'request-rejected',
		message: '',
		description: '',
		effect: 'none',
		httpCode: '200',
		retryable: false,
		retryAfterMs: undefined,
		...rest,
	});

	it.each([
		['a web address', 'a%2Fb%26c%22d%2be'],
		['JSON', 'a/b&c\\"d+e'],
		['JSON with escaped slashes', 'a\\/b&c\\"d+e'],
		['a web page', 'a/b&amp;c&quot;d+e'],
		['base64', Buffer.from('a/b&c"d+e').toString('base64')],
		['another case', 'A/B&C"D+E'],
	])('does not show a key in the form of %s', (_what, form) => {
		const info = { ...write, keys: ['a/b&c"d+e'] };
		expect(writeFailure(refusal(`Wrong: ${form}!`), info).message).toBe(
			'The service rejected the request: Wrong: ***!',
		);
	});

	it('names the field by its label, and all that was said about it', () => {
		const info = { ...write, body: { email: { label: 'Email Address' } } };
		expect(writeFailure(refusal({ email: ['It is wrong.', 'It is long.'] }), info)).toEqual(
			rejected({
				code: 'field-rejected',
				message: 'The service rejected "Email Address": It is wrong. It is long.',
				description: 'Correct this field and run again. Nothing was changed.',
				rejectedFields: ['email'],
			}),
		);
	});

	it('names several fields, also of lists, of the query and without a label', () => {
		const info = { ...write, query: { groupId: { label: 'Group' }, first_name: {} } };
		const errors = { 'groupId.0': 'Unknown', first_name: 'Wrong', 'strIds[1]': ['Gone'] };
		expect(writeFailure(refusal(errors), info)).toEqual(
			rejected({
				code: 'field-rejected',
				message: 'The service rejected "Group", "First Name", "Records": Unknown Wrong Gone',
				description: 'Correct these fields and run again. Nothing was changed.',
				rejectedFields: ['groupId.0', 'first_name', 'strIds[1]'],
			}),
		);
	});

	it.each([
		[{ PublicKey: ['The public key field is required.'] }, 'The public key field is required.'],
		[{ SecretKey: ['The secret key field is required.'] }, 'The secret key field is required.'],
	])('for a missing key says so: %j', (errors, reason) => {
		expect(writeFailure(refusal(errors, 422))).toEqual(
			rejected({
				code: 'keys-not-received',
				message: `The service did not receive the keys: ${reason}`,
				description:
					'Open the credential and enter both keys again. If they are there, a proxy between n8n and the service may be removing the headers PublicKey and SecretKey. Nothing was changed.',
				httpCode: '422',
			}),
		);
	});

	it('for a wrong key says so', () => {
		const errors = { PublicKey: ['The selected public key is invalid.'] };
		expect(writeFailure(refusal(errors, 422))).toMatchObject({
			code: 'keys-rejected',
			message: 'The service rejected the keys: The selected public key is invalid.',
		});
	});

	const checkValues =
		'Check the values of this operation and whether the keys in the credential belong to this account. Nothing was changed.';
	it.each([
		['a text', 'Closed', 'Closed'],
		['no text', '', 'no reason given'],
		['nothing', undefined, 'no reason given'],
		['an empty object', {}, 'no reason given'],
		['a list', ['Closed'], 'no reason given'],
	])('whose reason is %s names no field', (_what, errors, reason) => {
		expect(writeFailure(refusal(errors, 499))).toEqual(
			rejected({
				message: `The service rejected the request: ${reason}`,
				description: checkValues,
				httpCode: '499',
				rejectedFields: [],
			}),
		);
	});

	it.each([200, 404, 500])('since there is no such record says so, also with HTTP %i', (status) => {
		expect(writeFailure(refusal('Record Not Found', status))).toEqual(
			rejected({
				code: 'record-not-found',
				message: 'The service rejected the request: Record Not Found',
				description:
					'No record has this ID or UTR. It may have been deleted or belong to another account. Choose it from the list again. Nothing was changed.',
				httpCode: `${status}`,
				isNotFound: true,
			}),
		);
	});

	it('of an automation without an unsubscribe group says what to do', () => {
		const errors = 'Unsubscribe group require to live automation';
		expect(writeFailure(refusal(errors))).toEqual(
			rejected({
				message: `The service rejected the request: ${errors}`,
				description:
					'Assign an unsubscribe group to the automation in the service, then set it live again. Nothing was changed.',
			}),
		);
	});

	it('with a server error names only fields that were sent', () => {
		const errors = { server: ['Out of memory'] };
		expect(writeFailure(refusal(errors, 500))).toMatchObject({
			message: 'The service rejected the request: Out of memory',
			effect: 'unknown',
		});
		const info = { ...write, body: { email: {} } };
		expect(writeFailure(refusal({ ...errors, email: ['Taken'] }, 500), info)).toMatchObject({
			message: 'The service rejected "Server", "Email": Out of memory Taken',
			effect: 'none',
		});
	});

	it.each([500, 502, 503])(
		'for an unknown reason with HTTP %i may have had an effect',
		(status) => {
			expect(writeFailure(refusal('Trouble', status))).toEqual(
				rejected({
					message: 'The service rejected the request: Trouble',
					description: unclear,
					effect: 'unknown',
					httpCode: `${status}`,
					retryable: true,
				}),
			);
		},
	);

	it.each([
		[408, 'Request Timeout'],
		[502, 'Record Not Found'],
		[504, { email: ['Taken'] }],
	])('of a service that is busy may have had an effect: HTTP %i, %j', (status, errors) => {
		const info = { ...write, body: { email: {} } };
		expect(writeFailure(refusal(errors, status), info)).toMatchObject({
			code: 'request-rejected',
			effect: 'unknown',
			retryable: true,
		});
	});

	const away = { 'retry-after': '1' };
	it.each<[string, HttpResponse, Failure['effect']]>([
		['503 that asks to come back', refusal('Trouble', 503, away), 'none'],
		['500 that asks to come back', refusal('Trouble', 500, away), 'unknown'],
		['503 of a proxy that does', response(503, '<html>', away), 'unknown'],
		['503 that reports a success', response(503, { status: 'success' }, away), 'unknown'],
		['503 that does not', refusal('Trouble', 503), 'unknown'],
		['422 that does not report a success', refusal('No', 422), 'none'],
		...[400, 404, 422, 429].map((status): [string, HttpResponse, Failure['effect']] => [
			`${status} that reports a success`,
			response(status, { status: 'success', message: 'Added Successfully' }),
			'unknown',
		]),
	])('has had no effect if it is sure: %s', (_what, given, effect) => {
		expect(writeFailure(given).effect).toBe(effect);
	});
});

describe('a response that is no envelope', () => {
	const checkBaseUrl = 'Check "Base URL" in the credential. It must be the root of the API.';
	const checkBoth = 'Check the values of this operation and "Base URL" in the credential.';
	const noReason = 'The service rejected the request without a reason';
	const checkKeys = 'Check the public key and the secret key in the credential.';
	const again =
		'Try again. If this happens again, check that "Base URL" in the credential leads to the API.';

	it.each<[number, Failure['code'], string, string, Failure['effect'], boolean]>([
		[400, 'rejected-without-details', noReason, checkBoth, 'none', false],
		[401, 'access-denied', 'The service denied access', checkKeys, 'none', false],
		[403, 'access-denied', 'The service denied access', checkKeys, 'none', false],
		[404, 'address-not-found', 'There is no such address', checkBaseUrl, 'none', false],
		[405, 'rejected-without-details', noReason, checkBoth, 'none', false],
		[
			407,
			'proxy-login-required',
			'The proxy requires a user name and a password',
			'Enter them under "Proxy" in Request Options, as http://name:password@host:port, or in the proxy settings of n8n.',
			'none',
			false,
		],
		[
			408,
			'service-unavailable',
			'The service is temporarily unavailable',
			'Try again later.',
			'unknown',
			true,
		],
		[
			413,
			'request-too-large',
			'The request is too large for the service',
			'Send a smaller file, or fewer records per request.',
			'none',
			false,
		],
		[415, 'rejected-without-details', noReason, checkBoth, 'none', false],
		[422, 'rejected-without-details', noReason, checkBoth, 'none', false],
		[418, 'rejected-without-details', noReason, checkBoth, 'unknown', false],
		[
			500,
			'service-unavailable',
			'The service is temporarily unavailable',
			'Try again later.',
			'unknown',
			true,
		],
		[
			501,
			'service-unavailable',
			'The service is temporarily unavailable',
			'Try again later.',
			'unknown',
			false,
		],
	])(
		'with HTTP %i says what the status says',
		(status, code, message, description, effect, retryable) => {
			expect(writeFailure(response(status, { id: 1 }))).toEqual({
				code,
				message: `${message} (HTTP ${status})`,
				description:
					effect === 'none' ? `${description} Nothing was changed.` : whenLost(description),
				effect,
				httpCode: `${status}`,
				retryable,
				retryAfterMs: undefined,
			});
		},
	);

	it.each(['<html>', ' \n<!doctype html>'])('is a web page: %j', (body) => {
		expect(writeFailure(response(404, body))).toEqual({
			code: 'web-page-returned',
			message: 'The service returned a web page instead of data (HTTP 404)',
			description: `"Base URL" in the credential probably points to a website or a login page. It must be the root of the API. Nothing was changed.`,
			effect: 'none',
			httpCode: '404',
			retryable: false,
			retryAfterMs: undefined,
		});
	});

	it.each([
		['nothing', undefined, true],
		['null', null, true],
		['an empty text', '', true],
		['blanks', ' \n', true],
		['the beginning of a text', '{"status":', false],
		['a text with a < in it', 'a < b', false],
		['a text that begins with a character before the <', 'x<html>', false],
		['a list with a text like a web page', ['<html>'], false],
		['an object', { id: 1 }, false],
		['another status', { status: 'pending' }, false],
	])('may be %s', (_what, body, isEmpty) => {
		expect(writeFailure(response(200, body))).toEqual({
			code: 'response-unreadable',
			message: isEmpty
				? 'The service returned an empty response'
				: 'The service returned a response that cannot be read',
			description: whenLost(again),
			effect: 'unknown',
			httpCode: '200',
			retryable: isEmpty || typeof body === 'string',
			retryAfterMs: undefined,
		});
	});

	it('may be too long', () => {
		expect(tooLong(16_000_000, response(200), write).failure).toEqual({
			code: 'response-too-large',
			message: 'The response of the service is longer than 16 MB',
			description: `${unclear} Check any proxy in between, and that "Base URL" in the credential leads to the API.`,
			effect: 'unknown',
			httpCode: '200',
			retryable: false,
			retryAfterMs: undefined,
		});
	});
});

const unexpected = (problem: string): Failure => ({
	code: 'response-unexpected',
	message: `Unexpected response: ${problem}`,
	description:
		'Try again. If this happens again, the API may have changed, or a proxy may be altering the response.',
	effect: 'unknown',
	httpCode: '200',
	retryable: false,
	retryAfterMs: undefined,
});
const missing = (what: string) => unexpected(`${what} is missing`);

describe('a list', () => {
	const source = { key: 'contacts' };

	it('is missing in the words of the service', () => {
		expect(() => readList(refusal('Record not found'), source, read)).toThrow('Record not found');
	});

	it.each([
		['another key', { people: [] }],
		['something else', { contacts: { 0: {} } }],
		['no object', 'contacts'],
		['nothing', undefined],
	])('is missing where there is %s', (_what, message) => {
		expect(failureOf(() => readList(success(message), source, read))).toEqual(
			missing('the list "contacts"'),
		);
	});

	it('of records has nothing else in it', () => {
		expect(readRecords(success({ contacts: [{ id: 1 }] }), source, read)).toEqual([{ id: 1 }]);
		expect(failureOf(() => readRecords(success({ contacts: [{}, 1] }), source, read))).toEqual(
			unexpected('the list "contacts" has an entry that is not a record'),
		);
	});

	it.each([
		['has a next page', { contacts: [{ id: 1 }], next_page_url: 'https://example.com/2' }, {}],
		['is the first of two pages', { contacts: [{ id: 1 }] }, { meta: { last_page: 2 } }],
		['links to a next one', { contacts: [{ id: 1 }] }, { links: { next: '?page=2' } }],
		['has a cursor', { contacts: [{ id: 1 }], meta: { next_cursor: 'abc' } }, {}],
		['has a part of all', { contacts: [{ id: 1 }], total: 500, per_page: 50 }, {}],
		['goes on', { contacts: [{ id: 1 }], pagination: { has_more: true } }, {}],
		['is shorter than its total', { contacts: [{ id: 1 }], total: '900' }, {}],
		['is shorter than its count', { contacts: [{ id: 1 }] }, { paging: { count: 900 } }],
		['is shorter than all records', { contacts: [{ id: 1 }] }, { meta: { total_records: 900 } }],
		['is shorter than its table', { contacts: [{ id: 1 }], recordsTotal: 900 }, {}],
		['has several pages', { contacts: [{ id: 1 }], page: 1, totalPages: 9 }, {}],
		['has the number of the next page', { contacts: [{ id: 1 }], nextPage: 2 }, {}],
		['says that there is more', { contacts: [{ id: 1 }], hasMore: 'true' }, {}],
		['has a link', { contacts: [{ id: 1 }] }, { _links: { next: { href: '/2' } } }],
	])('is refused if it %s', (_what, message, envelope) => {
		const body = { status: 'success', message, ...envelope };
		expect(failureOf(() => readList(response(200, body), source, read))).toEqual(
			unexpected('the list "contacts" is only a page of a longer one'),
		);
	});

	it.each([
		['link', '<https://example.com/2>; rel="next"'],
		['x-total-count', '900'],
		['x-total-pages', '9'],
	])('is refused with the header %s', (header, value) => {
		const page = { ...success({ contacts: [{ id: 1 }] }), headers: { [header]: value } };
		expect(failureOf(() => readList(page, source, read))).toEqual(
			unexpected('the list "contacts" is only a page of a longer one'),
		);
	});

	it('may say that it is the only page', () => {
		const message = {
			...{ contacts: [{ id: 1 }], next_page_url: null, last_page: 1, has_more: false },
			...{ total: 1, per_page: 50, count: 1, pages: 1, page: 1, next: '' },
		};
		expect(readList(success(message), source, read)).toEqual([{ id: 1 }]);
	});

	it.each([
		['the header x-nextjs-cache', {}, { 'x-nextjs-cache': 'HIT', 'x-nextjs-page': '/api' }],
		['a time of the service', { next_run_at: '2030-01-01' }, {}],
	])('is no page because of %s', (_what, members, headers) => {
		const list = success({ contacts: [{ id: 1 }], ...members });
		expect(readList({ ...list, headers }, source, read)).toEqual([{ id: 1 }]);
	});

	describe('read record by record', () => {
		const idsOf = (body: unknown) => readEach(response(200, body), source, read, ({ id }) => id);
		const bytes = (text: string) => Buffer.from(text);

		it.each([
			[
				'as the reference shows it',
				bytes('{"status":"success","message":{"contacts":[{"id":1},{"id":2}]}}'),
			],
			[
				'with a key in another spelling',
				bytes('{"status":"success","message":{"cont\\u0061cts":[{"id":1},{"id":2}]}}'),
			],
			[
				'that has been parsed',
				{ status: 'success', message: { contacts: [{ id: 1 }, { id: 2 }] } },
			],
		])('may be one %s', (_what, body) => {
			expect(idsOf(body)).toEqual([1, 2]);
		});

		it('may have its number of records beside it, but not a larger one', () => {
			const counted = (count: number) =>
				idsOf(bytes(`{"status":"success","message":{"contacts":[{"id":1}],"total":${count}}}`));
			expect(counted(1)).toEqual([1]);
			expect(() => counted(2)).toThrow('only a page of a longer one');
		});

		it('may be empty', () => {
			expect(idsOf(bytes('{"status":"success","message":{"contacts":[]}}'))).toEqual([]);
			expect(idsOf({ status: 'success', message: { contacts: [] } })).toEqual([]);
		});

		it.each([
			['bytes', bytes('{"status":"success","message":{"contacts":[{"id":1},2]}}')],
			['an object', { status: 'success', message: { contacts: [{ id: 1 }, 2] } }],
		])('has nothing else in it: %s', (_what, body) => {
			expect(failureOf(() => idsOf(body))).toEqual(
				unexpected('the list "contacts" has an entry that is not a record'),
			);
		});
	});
});

describe('a record', () => {
	it.each([
		['as it is', { id: 1 }],
		['in a list', [{ id: 1 }, { id: 2 }]],
	])('may be there %s', (_what, record) => {
		expect(readRecord(success({ record }), 'record', read)).toEqual({ id: 1 });
	});

	it('does not exist if its list is empty', () => {
		expect(failureOf(() => readRecord(success({ record: [] }), 'record', read))).toEqual(
			writeFailure(refusal('Record not found'), read),
		);
	});

	it.each([
		['no record', { other: {} }],
		['a text', { record: 'gone' }],
		['a list of texts', { record: ['gone'] }],
		['no object', 'record'],
	])('is missing where there is %s', (_what, message) => {
		expect(failureOf(() => readRecord(success(message), 'record', read))).toEqual(
			missing('the record "record"'),
		);
	});

	it.each([
		['the ID that was asked for', { id: 7, name: 'a' }, 7],
		['the ID as a text', { id: '7' }, 7],
		['the UTR that was asked for', { id: 7, utr: 'abc' }, 'abc'],
		['no ID at all', { name: 'a' }, 7],
		['an empty ID', { id: '', utr: null }, 7],
	])('is taken with %s', (_what, record, wanted) => {
		const info = { ...read, asked: [String(wanted)] };
		expect(readRecord(success({ record }), 'record', info)).toEqual(record);
	});

	it('is taken from among others', () => {
		const record = [{ id: 8 }, { id: 7 }];
		const info = { ...read, asked: ['7'] };
		expect(readRecord(success({ record }), 'record', info)).toEqual({ id: 7 });
	});

	it.each([
		['another ID', { id: 8 }, 7],
		['another UTR', { id: 7, utr: 'abd' }, 'abc'],
		['another ID and no UTR, for an empty one', { id: 8, utr: '' }, ''],
	])('is not taken with %s', (_what, record, wanted) => {
		const info = { ...read, asked: [String(wanted)] };
		expect(failureOf(() => readRecord(success({ record }), 'record', info))).toEqual(
			unexpected('the record "record" is not the requested one'),
		);
	});
});

it.each<[string, HttpResponse, boolean]>([
	['says so', refusal('Record not found'), true],
	['says so in another spelling', refusal(' Record Not Found '), true],
	['says so with an error', refusal('Record not found', 404), true],
	['says so with the first status of errors', refusal('Record not found', 400), true],
	['says so with the last status of successes', refusal('Record not found', 299), true],
	['says something else', refusal('Record not found in the list'), false],
	['says something about a field', refusal({ id: ['Record not found'] }), false],
	['is a redirect', refusal('Record not found', 300), false],
	['is the last of the redirects', refusal('Record not found', 399), false],
	['is a rate limit', refusal('Record not found', 429), false],
	['is a success', response(200, { status: 'success', errors: 'Record not found' }), false],
	['is no envelope', response(404, 'Record not found'), false],
])('whether there is no such record where a response %s', (_what, given, expected) => {
	expect(isNotFound(given)).toBe(expected);
});
