import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import ts from 'typescript';

import { withHelp } from '../../nodes/EmailMarketing/run/help';
import { errorCodes } from '../../nodes/EmailMarketing/service/errorCode';
import { operationError } from '../../nodes/EmailMarketing/service/errors';
import { sectionByAnchor, takeOffHelp } from '../help';
import { parse, sourceFiles, textOf } from './literals';

const root = join(__dirname, '..', '..');

/** Properties whose texts are not the message of a failure. */
const notMessages = new Set([
	...['displayName', 'description', 'hint', 'placeholder', 'action', 'name'],
	...['icon', 'light', 'dark', 'documentationUrl', 'remedy'],
	...['searchHint', 'relationHint', 'propertyHint'],
]);

/** Whether it reads like a sentence: four words with spaces, and not all of them in capitals as in a label. */
function isSentence(text: string): boolean {
	if (!text.includes(' ')) return false;
	const words = text.match(/(?<![\w'])[A-Za-z][A-Za-z'-]*/g) ?? [];
	return words.length >= 4 && words.filter((word) => /^[a-z]{3,}/.test(word)).length >= 2;
}

/** What a file can say to a person besides the descriptions of its fields and the remedies of an InvalidInput. */
function sentencesOf(path: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		// The names of the fields of a record, and a label with a remedy.
		const isCall = ts.isCallExpression(node);
		if (isCall && ['fields', 'valueRequired'].includes(node.expression.getText())) return;
		if (
			(ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) &&
			notMessages.has(node.name.getText())
		) {
			return;
		}
		if (ts.isNewExpression(node) && node.expression.getText() === 'InvalidInput') {
			const [, message] = node.arguments ?? [];
			if (message) visit(message);
			return;
		}
		const text = textOf(node);
		if (text === undefined) ts.forEachChild(node, visit);
		else if (isSentence(text)) found.push(text.trim());
	};
	visit(parse(path));
	return found;
}

const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8');
const sources = ['nodes', 'credentials'].flatMap((folder) => sourceFiles(join(root, folder)));
// The findings of Account: Check, and what is said about people, are no failures and have pages of their own.
const sentences = new Set(
	sources
		.filter((path) => !/help\.ts$|\/features\/(?:account|people)\//.test(path))
		.flatMap(sentencesOf),
);

/** Whatever stands in quotes may be a label, or … in place of any. */
const withoutLabels = (text: string) => text.replace(/"[^"\n]{0,60}"/g, '"…"');

/** Whether a section has the text, whatever is put into it. */
function says(section: string, text: string): boolean {
	const shown = withoutLabels(section);
	const pieces = withoutLabels(text).split('…');
	return section.includes(text) || pieces.every((piece) => shown.includes(piece.trim()));
}

const bodies = page.split(/^(?=<a id=|## )/m);

it('says about every failure of ours why it happens and what to do', () => {
	expect(sentences.size).toBeGreaterThan(100);
	const missing = [...sentences].filter((sentence) => !bodies.some((body) => says(body, sentence)));
	expect(missing.map((text) => `Add a section about it to the page: ${text}`)).toEqual([]);
});

it('leads from its first lines to each of its parts', () => {
	const anchors = [...page.matchAll(/^## (.+)$/gm)].map(
		([, title = '']) =>
			`(#${title
				.toLowerCase()
				.replace(/[^\w -]/g, '')
				.replaceAll(' ', '-')})`,
	);
	expect(anchors.filter((anchor) => !page.includes(anchor))).toEqual([]);
});

/** The alternatives of a text, as far as they are written out. */
function textsIn(node: ts.Node | undefined): string[] {
	if (node === undefined) return [];
	if (ts.isConditionalExpression(node)) {
		return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
	}
	const text = textOf(node);
	return text === undefined ? [] : [text];
}

/** The position of the code among the arguments; the message follows it. */
const codeAt: Record<string, number> = {
	InvalidInput: 0,
	credentialError: 0,
	invalid: 0,
	operationError: 1,
};

interface Raised {
	at: string;
	codes: string[];
	messages: string[];
}

const propertyOf = (node: ts.ObjectLiteralExpression, name: string): ts.Node | undefined => {
	const found = node.properties.find((one) => one.name?.getText() === name);
	return found && ts.isPropertyAssignment(found) ? found.initializer : undefined;
};

/** The errors that a file raises, with their codes. */
function errorsOf(path: string): Raised[] {
	const found: Raised[] = [];
	const add = (code: ts.Node | undefined, message: ts.Node | undefined) => {
		const codes = textsIn(code);
		if (codes.length === 0) return;
		found.push({ at: relative(root, path), codes, messages: textsIn(message) });
	};
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
			const position = codeAt[node.expression.getText()];
			const given = node.arguments ?? [];
			if (position !== undefined) add(given[position], given[position + 1]);
		}
		if (ts.isObjectLiteralExpression(node)) {
			add(propertyOf(node, 'code'), propertyOf(node, 'message') ?? propertyOf(node, 'problem'));
		}
		ts.forEachChild(node, visit);
	};
	visit(parse(path));
	return found;
}

/** The codes that each section of the page names. */
const named = bodies.flatMap((body) =>
	[...body.matchAll(/^\*\*Codes?:\*\* (.+)$/gm)].flatMap(([, list = '']) =>
		[...list.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ code, body })),
	),
);

describe('The code of an error', () => {
	const raised = sources.filter((path) => !path.endsWith('errorCode.ts')).flatMap(errorsOf);
	const published = sources
		.filter((path) => !path.endsWith('errorCode.ts'))
		.map((path) => readFileSync(path, 'utf8'));

	it.each(errorCodes)('%s is raised', (code) => {
		expect(published.filter((source) => source.includes(`'${code}'`))).not.toEqual([]);
	});

	it('is in kebab case, and listed once', () => {
		expect(errorCodes.filter((code) => !/^[a-z0-9]+(-[a-z0-9]+)+$|^[a-z]+$/.test(code))).toEqual(
			[],
		);
		expect(new Set(errorCodes).size).toBe(errorCodes.length);
	});

	it('is named by one section, which has it as an anchor', () => {
		expect(named.map(({ code }) => code).sort()).toEqual([...errorCodes].sort());
		const lost = named.filter(({ code, body }) => sectionByAnchor.get(code) !== body);
		expect(lost.map(({ code }) => code)).toEqual([]);
	});

	it('leads to the section with its message', () => {
		expect(raised.length).toBeGreaterThan(150);
		const lost = raised.flatMap(({ at, codes, messages }) =>
			messages
				// Words alone, without what is put in, such as `… …`.
				.filter((message) => /[a-z]{2,} [a-z]{2,}/.test(message))
				.filter((message) => !codes.some((code) => says(sectionByAnchor.get(code) ?? '', message)))
				.map((message) => `${at}: "${message}" is not in the section of ${codes.join(', ')}`),
		);
		expect(lost).toEqual([]);
	});

	it('is given to every error', () => {
		const bare = /new (?:NodeOperationError|NodeApiError|UserError|OperationalError)\(/;
		const makers = /service\/errors\.ts$|run\/nodeError\.ts$/;
		const lost = sources.filter(
			(path) => !makers.test(path) && bare.test(readFileSync(path, 'utf8')),
		);
		expect(lost.map((path) => relative(root, path))).toEqual([]);
	});

	it('is an anchor that no other section has', () => {
		const anchors = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, anchor]) => anchor);
		expect(new Set(anchors).size).toBe(anchors.length);
	});
});

describe('The section that an error names', () => {
	const node = { name: 'Email Marketing', type: 'emailMarketing' } as INode;
	const message = 'Rate limit reached (HTTP 429)';
	const withCode = (description: string) =>
		operationError(node, 'rate-limit-reached', message, { description });

	it('stands at the end of its description', () => {
		const error = withCode('Correct it.');
		expect(withHelp(error)).toBe(error);
		expect(error.description).toBe(
			'Correct it. See docs/troubleshooting.md#rate-limit-reached in the repository of this package.',
		);
		takeOffHelp(error);
		expect(error.description).toBe('Correct it.');
	});

	it('is demanded of every error that stops a node, with what to add', () => {
		const toAdd = /Give the error a code/;
		const help = (anchor: string) =>
			String(withHelp(withCode('')).description).replace('rate-limit-reached', anchor);
		const { name } = NodeApiError;
		expect(() => takeOffHelp({ name, message, description: 'Correct it.' })).toThrow(toAdd);
		expect(() => takeOffHelp({ name, message, description: help('elsewhere') })).toThrow(toAdd);
		const twice = `${help('rate-limit-reached')} ${help('rate-limit-reached')}`;
		expect(() => takeOffHelp({ name, message, description: twice })).toThrow(toAdd);
	});

	it('is all of the description where there is no other', () => {
		expect(withHelp(withCode('')).description).toMatch(/^See docs\//);
	});

	it.each([
		['errors of another kind', new Error(message)],
		['errors of n8n', new NodeOperationError(node, message, { description: 'Correct it.' })],
	])('is not added to %s', (_, error) => {
		const before = { ...error };
		expect({ ...withHelp(error) }).toEqual(before);
	});
});
