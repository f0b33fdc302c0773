import { codeOf } from '../service/errors';
import { docsAddress } from '../service/docsAddress';
import { isNodeError } from './nodeError';

function helpWith(code: string): string {
	const page = `docs/troubleshooting.md#${code}`;
	return docsAddress === ''
		? `See ${page} in the repository of this package.`
		: `<a href="${docsAddress}${page}" target="_blank">More about this error</a>`;
}

/**
 * Ends the description of an error that n8n shows in its editor with the section about it, whose anchor is the code of
 * the error. The editor shows descriptions as HTML. Errors of n8n, such as those of expressions, have no code.
 */
export function withHelp<T>(error: T): T {
	if (!isNodeError(error)) return error;
	const code = codeOf(error);
	if (code === undefined) return error;
	const help = helpWith(code);
	if (error.description?.endsWith(help)) return error;
	error.description = [error.description, help].filter((text) => text).join(' ');
	return error;
}
