import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorCodes } from '../nodes/EmailMarketing/service/errorCode';

const root = join(__dirname, '..');
const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');

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

/** Without the links of a package whose repository is known. */
const anyHelp = /See docs\/troubleshooting\.md#\S+ in the repository of this package\./g;

/** What n8n says about an expression, in the message or in both. */
const isOfExpression = ({ message, description }: ShownError): boolean =>
	/^(?:Referenced node|Invalid expression|invalid syntax)/.test(message) ||
	/^Correct the expression\b/.test(description ?? '');

/** Agents read the texts of their tools as they are. */
const isOfTool = ({ node }: ShownError): boolean => node?.type?.endsWith('Tool') === true;

const isOurs = (error: ShownError): boolean =>
	['NodeApiError', 'NodeOperationError'].includes(error.name ?? '') && !isOfExpression(error);

/**
 * Makes sure that an error which stopped a node ends with its section of docs/troubleshooting.md, and takes that off, so
 * that tests compare the rest.
 */
export function takeOffHelp(error: ShownError): void {
	const { message } = error;
	const description = error.description ?? '';
	const found = description.match(anyHelp) ?? [];
	if (found.length === 0 && (isOfTool(error) || !isOurs(error))) return;
	if (isOfTool(error)) throw new Error(`An error of a tool names a page: "${message}"`);
	const [, start = '', anchor = ''] =
		/^(.*)See docs\/troubleshooting\.md#(\S+) in the repository of this package\.$/s.exec(
			description,
		) ?? [];
	if (found.length !== 1 || anchor === '') {
		throw new Error(
			`This error does not end with its section: "${message}" (${description}). ${howToAdd}`,
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
