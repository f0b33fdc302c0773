import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { codeOf } from '../service/errors';

const page =
	'https://github.com/n8n-nodes-email-marketing/n8n-nodes-email-marketing/blob/main/docs/troubleshooting.md';

/**
 * Ends the description of an error that n8n shows in its editor with a link to the section about it, whose anchor is
 * the code of the error. The editor shows descriptions as HTML. Errors of n8n, such as those of expressions, have no
 * code.
 */
export function withHelp<T>(error: T): T {
	if (!(error instanceof NodeOperationError || error instanceof NodeApiError)) return error;
	const code = codeOf(error);
	if (code === undefined || error.description?.includes(page)) return error;
	const link = `<a href="${page}#${code}" target="_blank">More about this error</a>`;
	error.description = [error.description, link].filter((text) => text).join(' ');
	return error;
}
