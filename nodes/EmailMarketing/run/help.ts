import { codeOf } from '../service/errors';
import { docsAddress } from '../service/docsAddress';
import { isNodeError } from './nodeError';

function helpWith(code: string): string {
	const page = `docs/troubleshooting.md#${code}`;
	return docsAddress === ''
		? `See ${page} in the repository of this package.`
		: `<a href="${docsAddress}${page}" target="_blank">More about this error</a>`;
}

/** What is quoted may look like HTML. */
const asHtml = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\n', '<br>');

/**
 * Ends the description of an error that n8n shows in its editor, as HTML, with the section about it, whose anchor is the
 * code of the error. Errors of n8n, such as those of expressions, have no code.
 */
export function withHelp<T>(error: T): T {
	if (!isNodeError(error)) return error;
	const code = codeOf(error);
	if (code === undefined) return error;
	const help = helpWith(code);
	if (error.description?.endsWith(help)) return error;
	error.description = [asHtml(error.description ?? ''), help].filter((text) => text).join(' ');
	return error;
}
