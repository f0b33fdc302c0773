import {
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	OperationalError,
	UserError,
	type INode,
} from 'n8n-workflow';

import { credentialError, operationError } from '../../../nodes/EmailMarketing/service/errors';
import { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import { withHelp } from '../../../nodes/EmailMarketing/run/help';
import { runError } from '../../../nodes/EmailMarketing/run/nodeError';
import type { NodeError } from '../../../nodes/EmailMarketing/run/nodeError';
import { InvalidInput } from '../../../nodes/EmailMarketing/params/invalidInput';

const node = { name: 'Email Marketing', type: 'emailMarketing' } as INode;

describe('what stops a run as a whole', () => {
	it('is told in the words of the service', () => {
		const failure = {
			code: 'request-rejected' as const,
			message: 'Closed',
			description: 'Wait.',
			effect: 'none' as const,
		};
		const error = runError({ node, readsOnly: false }, new ServiceError(failure));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({
			message: 'Closed',
			description: 'Wait.',
			context: { code: 'request-rejected' },
		});
	});

	it('is a value that is not valid', () => {
		const error = runError(
			{ node, readsOnly: false },
			new InvalidInput('value-invalid', '"A" is wrong', 'Correct it.'),
		);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: '"A" is wrong',
			description: 'Correct it. Nothing was changed.',
			context: { code: 'value-invalid' },
		});
	});

	it('is a value that is not valid, of an operation that changes nothing anyway', () => {
		const given = new InvalidInput('value-invalid', '"A" is wrong', 'Correct it.');
		const error = runError({ node, readsOnly: true }, given);
		expect(error).toMatchObject({ description: 'Correct it.' });
	});

	it.each([
		['an expression that fails', new ExpressionError('It is wrong')],
		['what n8n says to its user', new UserError('It is blocked')],
	])('is %s', (_what, given) => {
		const error = runError({ node, readsOnly: false }, given);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect((error as NodeOperationError).message).toBe(given.message);
	});

	it.each([
		['an error of n8n', new NodeOperationError(node, 'Already told')],
		['what is not for the user', new OperationalError('No disk')],
		['a mistake in the program', new TypeError('x is not a function')],
	])('is %s, as it is', (_what, given) => {
		expect(runError({ node, readsOnly: false }, given)).toBe(given);
	});
});

describe('help', () => {
	const page = /^(.*)See docs\/troubleshooting\.md#([\w-]+) in the repository of this package\.$/;

	it('follows the description', () => {
		const error = operationError(node, 'limit-invalid', 'Wrong', { description: 'Wait.' });
		expect(withHelp(error)).toBe(error);
		const [, before, code] = page.exec(error.description ?? '') ?? [];
		expect([before, code]).toEqual(['Wait. ', 'limit-invalid']);
	});

	it('is that of the credential where its error stops a node', () => {
		const error = runError(
			{ node, readsOnly: false },
			credentialError('key-missing', 'A key is missing'),
		);
		const [, before, code] = page.exec((withHelp(error) as NodeError).description ?? '') ?? [];
		expect([before, code]).toEqual(['', 'key-missing']);
	});

	it.each([
		['an error without a code', new NodeOperationError(node, 'Something new')],
		['an error that is no error of a node', new Error('Rate limit reached (HTTP 429)')],
	])('is not added to %s', (_what, error) => {
		const { description } = error as { description?: string | null };
		expect(withHelp(error)).toBe(error);
		expect((error as { description?: string | null }).description).toBe(description);
	});
});
