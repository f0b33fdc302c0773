import { NodeApiError, UserError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { toFailure, toNodeApiError } from '../../../nodes/EmailMarketing/service/errors';
import type { Failure } from '../../../nodes/EmailMarketing/service/failure';

const node = { name: 'Email Marketing', type: 'emailMarketing' } as INode;
const write = { changesData: true };

/** An error as n8n hands it on: in an error of its own, with the client's error as the cause. */
function thrown(code: string, message: string): NodeApiError {
	return new NodeApiError(node, Object.assign(new Error(message), { code }) as never);
}

const noWay = 'The service cannot be reached: there is no route to its host';
const notValid = 'The TLS certificate of the service is not valid';
const refused = 'The service cannot be reached: connection refused';
const brokeOff = 'The connection to the service was lost before the response was complete';

describe.each([
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', noWay, 'none', true],
	['ENETUNREACH', 'connect ENETUNREACH 10.0.0.1:443', noWay, 'none', true],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', noWay, 'none', true],
	['ETIMEDOUT', 'read ETIMEDOUT', 'The service did not respond in time', 'unknown', true],
	['EPIPE', 'write EPIPE', brokeOff, 'unknown', true],
	['CERT_HAS_EXPIRED', 'certificate has expired', notValid, 'none', false],
	['CERT_NOT_YET_VALID', 'certificate is not yet valid', notValid, 'none', false],
	['CERT_REVOKED', 'certificate revoked', notValid, 'none', false],
	[
		'SELF_SIGNED_CERT_IN_CHAIN',
		'self-signed certificate in certificate chain',
		notValid,
		'none',
		false,
	],
	[
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'unable to get local issuer certificate',
		notValid,
		'none',
		false,
	],
	[
		'EPROTO',
		'write EPROTO 1:error:0A00010B:SSL routines:ssl3_get_record:wrong version number',
		'The service does not respond over HTTPS at this address',
		'none',
		false,
	],
	['', 'Proxy connection ended before receiving CONNECT response', refused, 'none', true],
	[
		'ECONNRESET',
		'Client network socket disconnected before secure TLS connection was established',
		brokeOff,
		'unknown',
		true,
	],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', notValid, 'none', false],
	[
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'unable to verify the first certificate',
		notValid,
		'none',
		false,
	],
	[
		'ERR_TLS_CERT_ALTNAME_INVALID',
		"Hostname/IP does not match certificate's altnames",
		notValid,
		'none',
		false,
	],
	[
		'ENOBUFS',
		'something new',
		'The request to the service failed before a response arrived',
		'unknown',
		false,
	],
])('%s (%s)', (code, text, message, effect, retryable) => {
	it('is told as it is', () => {
		expect(toFailure(thrown(code, text), write)).toMatchObject({ message, effect, retryable });
	});
});

it("n8n's own rules are told in n8n's own words", () => {
	class BlockedError extends UserError {}
	const description = 'Ask your n8n administrator.';
	const blocked = new BlockedError('The request was blocked', { description });
	const client = Object.assign(new Error('Network Error'), { cause: blocked });
	expect(toFailure(new NodeApiError(node, client as never), write)).toEqual({
		code: undefined,
		message: 'The request was blocked',
		description,
		effect: 'none',
	});
});

const read = { changesData: false };
const unexplained = 'The request to the service failed before a response arrived';

it.each<[string, unknown]>([
	['an error without words', {}],
	['an object without a prototype', Object.create(null)],
	['a text', 'ECONNREFUSED'],
	['nothing', undefined],
])('%s is told as a failure before a response', (_what, error) => {
	expect(toFailure(error, write)).toEqual({
		code: 'request-failed',
		message: unexplained,
		description:
			'The request may have succeeded. Check the service before running it again. Check the network of n8n and "Base URL" in the credential, then try again.',
		effect: 'unknown',
		retryable: false,
	});
});

it('the sentence about the effect is that of a write', () => {
	const error = { code: 'ECONNREFUSED' };
	const rest = { code: 'connection-refused', message: refused, effect: 'none', retryable: true };
	const description =
		'Check "Base URL" in the credential, any proxy in between, and whether the service is running. If n8n runs in a container, localhost in "Base URL" is the container itself: enter the host name of the service instead.';
	expect(toFailure(error, read)).toEqual({ ...rest, description });
	expect(toFailure(error, write)).toEqual({
		...rest,
		description: `${description} Nothing was changed.`,
	});
});

/** An error whose cause has a cause, and so on; the innermost one has the code. */
const nested = (levels: number): object =>
	levels === 0 ? { code: 'ECONNREFUSED' } : { cause: nested(levels - 1) };

it.each([
	[0, refused],
	[3, refused],
	[4, unexplained],
])('a cause %i levels below the error: what it is told as', (levels, message) => {
	expect(toFailure(nested(levels), read).message).toBe(message);
});

it('an error that is its own cause is told like any other', () => {
	const error: { cause?: unknown } = {};
	error.cause = error;
	expect(toFailure(error, read).message).toBe(unexplained);
});

it('the messages that n8n has collected are looked at too', () => {
	const messages = ['read failed', 'socket hang up'];
	expect(toFailure({ messages }, read).message).toBe(brokeOff);
});

it.each([
	['ExpressionError', 'Correct the expression in this node.'],
	['NodeOperationError', 'Open the credential and correct it.'],
])('a readable %s without a description says where to look', (name, description) => {
	class ExpressionError extends Error {
		override name = name;
	}
	expect(toFailure(new ExpressionError('It is wrong'), write)).toEqual({
		code: undefined,
		message: 'It is wrong',
		description,
		effect: 'none',
	});
});

describe('the error for n8n', () => {
	const failure: Failure = {
		code: 'request-rejected',
		message: 'Busy',
		description: 'Wait.',
		effect: 'none',
	};
	const shown = (rest: Partial<Failure>, itemIndex?: number) => {
		const { message, description, httpCode, context, ...others } = toNodeApiError(
			node,
			{ ...failure, ...rest },
			itemIndex,
		);
		const { failure: forPolls } = others as { failure?: unknown };
		return { message, description, httpCode, context, forPolls };
	};
	const words = { message: 'Busy', description: 'Wait.' };

	it('has the words of the failure, and the item', () => {
		expect(shown({ httpCode: '422' }, 3)).toEqual({
			...words,
			httpCode: '422',
			context: { code: 'request-rejected', itemIndex: 3 },
			forPolls: undefined,
		});
	});

	it('has its report', () => {
		expect(shown({ report: { rows: 2 } }).context).toEqual({
			code: 'request-rejected',
			report: { rows: 2 },
		});
		expect(shown({}).context).not.toHaveProperty('report');
	});

	it.each([
		[
			{ httpCode: '429', retryAfterMs: 5_000 },
			{ cause: 'rate-limited', retryAfterMs: 5_000 },
		],
		[{ httpCode: '429' }, { cause: 'rate-limited' }],
		[{ httpCode: '503' }, { cause: 'temporarily-unavailable' }],
		[{}, { cause: 'temporarily-unavailable' }],
	])('says when to poll again: %j', (rest, forPolls) => {
		expect(shown({ retryable: true, ...rest }).forPolls).toStrictEqual(forPolls);
		expect(shown({ retryable: false, ...rest }).forPolls).toBeUndefined();
	});
});
