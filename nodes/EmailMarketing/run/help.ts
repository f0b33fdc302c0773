import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { sections } from './helpSections';

const page =
	'https://github.com/n8n-nodes-email-marketing/n8n-nodes-email-marketing/blob/main/docs/troubleshooting.md';

const anchorOf = (words: string): string =>
	words
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, '-')
		.replace(/^-|-$/g, '');

/**
 * The anchor of the section about a failure. The words that the message has first decide, since what others have
 * written follows the words of the node; of several that begin at the same place, the longest.
 */
export function helpAnchor(message: string): string | undefined {
	const [first] = sections
		.map((words) => ({ words, start: message.indexOf(words) }))
		.filter(({ start }) => start !== -1)
		.sort((a, b) => a.start - b.start || b.words.length - a.words.length);
	return first && anchorOf(first.words);
}

/**
 * Ends the description of an error that n8n shows in its editor with a link to the section about it. The editor shows
 * descriptions as HTML. Errors of n8n, such as those of expressions, have no section.
 */
export function withHelp<T>(error: T): T {
	if (!(error instanceof NodeOperationError || error instanceof NodeApiError)) return error;
	const anchor = helpAnchor(error.message);
	if (anchor === undefined) return error;
	const link = `<a href="${page}#${anchor}" target="_blank">More about this error</a>`;
	error.description = [error.description, link].filter((text) => text).join(' ');
	return error;
}
