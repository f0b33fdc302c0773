import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorCodes } from '../nodes/EmailMarketing/service/errorCode';

const root = join(__dirname, '..');
const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');
const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
	repository: { url: string };
};
const address = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/troubleshooting.md`;

/** The sections of docs/troubleshooting.md, by each of their anchors. */
export const sectionByAnchor: ReadonlyMap<string, string> = new Map(
	page
		.split(/^(?=<a id=|## )/m)
		.flatMap((section) =>
			[...section.matchAll(/<a id="([^"]+)"><\/a>/g)].map(
				([, anchor = '']) => [anchor, section] as const,
			),
		),
);

const codes: ReadonlySet<string> = new Set(errorCodes);

/** The items of the error output whose code was taken off, with it. */
const codesTaken = new WeakMap<object, string>();

/** The code that the error of an item had. */
export const codeOfItem = (error: unknown): string | undefined => codesTaken.get(error as object);

/** What an error lacks, and where to add it. */
export const howToAdd =
	'Give the error a code of nodes/EmailMarketing/service/errorCode.ts, and add a section with this code and anchor to docs/troubleshooting.md.';

/** An error as n8n has it, or as it saves it. */
export interface ShownError {
	name?: string;
	message: string;
	description?: string | null;
	node?: { type?: string };
}

/** Data in the same text may hold links of its own. */
const anyLink = /<a [^>]*>More about this error<\/a>/g;

/** What n8n says about an expression, in the message or in both. */
const isOfExpression = ({ message, description }: ShownError): boolean =>
	/^(?:Referenced node|Invalid expression|invalid syntax)/.test(message) ||
	/^Correct the expression\b/.test(description ?? '');

/** Agents read the texts of their tools as they are. */
const isOfTool = ({ node }: ShownError): boolean => node?.type?.endsWith('Tool') === true;

const isOurs = (error: ShownError): boolean =>
	['NodeApiError', 'NodeOperationError'].includes(error.name ?? '') && !isOfExpression(error);

/**
 * Makes sure that an error which stopped a node ends with a link to a section of docs/troubleshooting.md, and takes
 * the link off, so that tests compare the rest.
 */
export function takeOffHelp(error: ShownError): void {
	const { message } = error;
	const description = error.description ?? '';
	const links = description.match(anyLink) ?? [];
	if (links.length === 0 && (isOfTool(error) || !isOurs(error))) return;
	if (isOfTool(error)) throw new Error(`An error of a tool has a link: "${message}"`);
	const [, start = '', anchor = ''] =
		/^(.*)<a href="[^"#]*#([^"]*)" target="_blank">More about this error<\/a>$/s.exec(
			description,
		) ?? [];
	const link = `<a href="${address}#${anchor}" target="_blank">More about this error</a>`;
	if (links.length !== 1 || links[0] !== link) {
		throw new Error(
			`This error does not end with one link to its section: "${message}" (${description}). ${howToAdd}`,
		);
	}
	if (!sectionByAnchor.has(anchor)) {
		throw new Error(`The section "${anchor}" is missing for this error: "${message}". ${howToAdd}`);
	}
	error.description = start.trimEnd() || undefined;
}

/** Makes sure that the error of an item has a code, and takes it off, so that tests compare the rest. */
export function takeOffCode(error: unknown): void {
	if (typeof error !== 'object' || error === null || codesTaken.has(error)) return;
	const { code, message, description } = error as ShownError & { code?: string };
	if (code === undefined && isOfExpression({ message, description })) return;
	if (code === undefined || !codes.has(code)) {
		throw new Error(`This error of an item has no code: ${JSON.stringify(error)}. ${howToAdd}`);
	}
	codesTaken.set(error, code);
	delete (error as { code?: string }).code;
}
