import { NodeApiError, UserError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { toFailure } from '../../nodes/EmailMarketing/api/errors';

const node = { name: 'Email Marketing', type: 'emailMarketing' } as INode;
const write = { changesData: true };

/** An error as n8n hands it on: in an error of its own, with the client's error as the cause. */
function thrown(code: string, message: string): NodeApiError {
	return new NodeApiError(node, Object.assign(new Error(message), { code }) as never);
}

const noWay = 'The service cannot be reached: there is no route to its host';
const notTrusted = 'The TLS certificate of the service is not valid';
const brokeOff = 'The connection to the service was lost before the response was complete';

describe.each([
	['EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1:443', noWay, 'none', true],
	['ENETUNREACH', 'connect ENETUNREACH 10.0.0.1:443', noWay, 'none', true],
	['ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:443', noWay, 'none', true],
	['ETIMEDOUT', 'read ETIMEDOUT', 'The service did not respond in time', 'unknown', true],
	['EPIPE', 'write EPIPE', brokeOff, 'unknown', true],
	['CERT_HAS_EXPIRED', 'certificate has expired', notTrusted, 'none', false],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', notTrusted, 'none', false],
	[
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
		'unable to verify the first certificate',
		notTrusted,
		'none',
		false,
	],
	[
		'ERR_TLS_CERT_ALTNAME_INVALID',
		"Hostname/IP does not match certificate's altnames",
		notTrusted,
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
		message: 'The request was blocked',
		description,
		effect: 'none',
	});
});
