import {
	ExpressionError,
	NodeApiError,
	NodeOperationError,
	OperationalError,
	UserError,
	type INode,
} from 'n8n-workflow';

import { ServiceError } from '../../../nodes/EmailMarketing/service/failure';
import { helpAnchor, withHelp } from '../../../nodes/EmailMarketing/run/help';
import { runError } from '../../../nodes/EmailMarketing/run/nodeError';
import { InvalidInput } from '../../../nodes/EmailMarketing/params/invalidInput';

const node = { name: 'Email Marketing', type: 'emailMarketing' } as INode;

describe('what stops a run as a whole', () => {
	it('is told in the words of the service', () => {
		const failure = { message: 'Closed', description: 'Wait.', effect: 'none' as const };
		const error = runError(node, new ServiceError(failure));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error).toMatchObject({ message: 'Closed', description: 'Wait.' });
	});

	it('is a value that is not valid', () => {
		const error = runError(node, new InvalidInput('"A" is wrong', 'Correct it.'));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: '"A" is wrong',
			description: 'Correct it. Nothing was sent.',
		});
	});

	it.each([
		['an expression that fails', new ExpressionError('It is wrong')],
		['what n8n says to its user', new UserError('It is blocked')],
	])('is %s', (_what, given) => {
		const error = runError(node, given);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect((error as NodeOperationError).message).toBe(given.message);
	});

	it.each([
		['an error of n8n', new NodeOperationError(node, 'Already told')],
		['what is not for the user', new OperationalError('No disk')],
		['a mistake in the program', new TypeError('x is not a function')],
	])('is %s, as it is', (_what, given) => {
		expect(runError(node, given)).toBe(given);
	});
});

describe('help', () => {
	const page =
		/^(.*)<a href="https:\/\/github\.com\/[\w-]+\/n8n-nodes-email-marketing\/blob\/main\/docs\/troubleshooting\.md#([\w-]+)" target="_blank">More about this error<\/a>$/;
	const described = (description?: string) =>
		withHelp(new NodeOperationError(node, 'Rate limit reached (HTTP 429)', { description }));

	it('follows the description', () => {
		const [, before, anchor] = page.exec(described('Wait.').description ?? '') ?? [];
		expect([before, anchor]).toEqual(['Wait. ', 'rate-limit-reached']);
	});

	it('is all that an error without a description has', () => {
		const [, before, anchor] = page.exec(described().description ?? '') ?? [];
		expect([before, anchor]).toEqual(['', 'rate-limit-reached']);
	});

	it.each([
		['an error that it has nothing about', new NodeOperationError(node, 'Something new')],
		['an error that is no error of a node', new Error('Rate limit reached (HTTP 429)')],
	])('is not added to %s', (_what, error) => {
		const { description } = error as { description?: string | null };
		expect(withHelp(error)).toBe(error);
		expect((error as { description?: string | null }).description).toBe(description);
	});

	it.each([
		['Rate limit reached (HTTP 429)', 'rate-limit-reached'],
		['"A" was not found: no record has the email b', 'was-not-found'],
		// What others have written follows the words of the node.
		['The service rejected "Email": Rate limit reached', 'the-service-rejected'],
		['The service rejected the request: Closed', 'the-service-rejected-the-request'],
		[
			'The service rejected the request: Record not found',
			'the-service-rejected-the-request-record-not-found',
		],
		['"" must be text', 'must-be-text'],
		['Something new', undefined],
	])('about "%s" is in the section %s', (message, anchor) => {
		expect(helpAnchor(message)).toBe(anchor);
	});
});
