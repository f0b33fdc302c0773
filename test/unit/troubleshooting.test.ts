import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import ts from 'typescript';

import { helpAnchor, withHelp } from '../../nodes/EmailMarketing/run/help';
import { sections } from '../../nodes/EmailMarketing/run/helpSections';
import { howToAdd, sectionByAnchor, takeOffHelp } from '../help';
import { parse, sourceFiles, textOf } from './literals';

const root = join(__dirname, '..', '..');

/** Properties whose texts are not the message of a failure. */
const notMessages = new Set([
	...['displayName', 'description', 'hint', 'placeholder', 'action', 'name'],
	...['icon', 'light', 'dark', 'documentationUrl', 'remedy'],
	...['searchHint', 'relationHint', 'propertyHint'],
]);

/** Whether it reads like a sentence: four words, and not all of them in capitals as in a label. */
function isSentence(text: string): boolean {
	const words = text.match(/(?<![\w'])[A-Za-z][A-Za-z'-]*/g) ?? [];
	return words.length >= 4 && words.filter((word) => /^[a-z]{3,}/.test(word)).length >= 2;
}

/** What a file can say to a person besides the descriptions of its fields and the remedies of an InvalidInput. */
function sentencesOf(path: string): string[] {
	const found: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		// The names of the fields of a record.
		if (ts.isCallExpression(node) && node.expression.getText() === 'fields') return;
		if (
			(ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node)) &&
			notMessages.has(node.name.getText())
		) {
			return;
		}
		if (ts.isNewExpression(node) && node.expression.getText() === 'InvalidInput') {
			const [message] = node.arguments ?? [];
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
// The findings of Account: Check are no failures, and have a page of their own.
const sentences = new Set(
	sources.filter((path) => !/help(?:Sections)?\.ts$|\/account\//.test(path)).flatMap(sentencesOf),
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

/** The alternatives of a message, as far as they are written out. */
function textsIn(node: ts.Node): string[] {
	if (ts.isConditionalExpression(node)) {
		return [...textsIn(node.whenTrue), ...textsIn(node.whenFalse)];
	}
	const text = textOf(node);
	return text === undefined ? [] : [text];
}

/** The position of the message among the arguments of a failure. */
const messageAt: Record<string, number> = { InvalidInput: 0, UserError: 0, NodeOperationError: 1 };

/** The messages with which a run or a poll can stop. */
function failuresOf(path: string): Array<{ at: string; message: string }> {
	const found: Array<{ at: string; message: string }> = [];
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node)) {
			const message = node.arguments?.[messageAt[node.expression.getText()] ?? -1];
			for (const text of message ? textsIn(message) : []) {
				// Words alone, without what is put in, such as `… …`.
				if (/[a-z]{2,} [a-z]{2,}/.test(text)) {
					found.push({ at: relative(root, path), message: text });
				}
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(parse(path));
	return found;
}

describe('The link of an error', () => {
	// What the editor shows in a list while a node is filled in has no links.
	const failures = sources.filter((path) => !path.includes('/methods/')).flatMap(failuresOf);

	it('leads to the section with its message', () => {
		expect(failures.length).toBeGreaterThan(80);
		const lost = failures.filter(({ message }) => {
			const section = sectionByAnchor.get(helpAnchor(message) ?? '');
			return section === undefined || !says(section, message);
		});
		expect(
			lost.map(
				({ at, message }) =>
					`${at}: "${message}" leads to #${helpAnchor(message)}. ${howToAdd} The section must contain the message itself.`,
			),
		).toEqual([]);
	});

	it.each(sections)('has a section for: %s', (words) => {
		const section = sectionByAnchor.get(helpAnchor(words) ?? '') ?? howToAdd;
		expect(section).toContain(words);
	});

	it('has anchors that are unique', () => {
		const anchors = [...page.matchAll(/<a id="([^"]+)">/g)].map(([, anchor]) => anchor);
		expect(new Set(anchors).size).toBe(anchors.length);
		expect(new Set(sections.map(helpAnchor)).size).toBe(sections.length);
	});

	it('follows the first words of a message, and the longest of these', () => {
		expect(helpAnchor('The service rejected the request: Record not found')).toBe(
			'the-service-rejected-the-request-record-not-found',
		);
		expect(helpAnchor('The service rejected Email: is too long')).toBe('the-service-rejected');
		expect(
			helpAnchor('The checks before sending could not be completed: Rate limit reached (HTTP 429)'),
		).toBe('checks-before-sending-could-not-be-completed');
		expect(helpAnchor("Referenced node doesn't exist")).toBeUndefined();
	});

	const node = { name: 'Email Marketing', type: 'emailMarketing' } as INode;

	const failure = { message: 'Rate limit reached (HTTP 429)', description: 'Correct it.' };

	it.each([
		['an operation', new NodeOperationError(node, failure.message, failure)],
		['a request', new NodeApiError(node, {}, failure)],
	])('stands at the end of the description of an error of %s', (_, error) => {
		expect(withHelp(error)).toBe(error);
		expect(error.description).toMatch(/^Correct it\. <a href=[^>]+>More about this error<\/a>$/);
		takeOffHelp(error);
		expect(error.description).toBe('Correct it.');
	});

	it('is demanded of every error that stops a node, with what to add', () => {
		const toAdd = /Add words of the message to nodes\/EmailMarketing\/run\/helpSections\.ts/;
		const link = (anchor: string) =>
			String(withHelp(new NodeOperationError(node, failure.message)).description).replace(
				'rate-limit-reached',
				anchor,
			);
		const { name, message } = { name: 'NodeApiError', message: failure.message };
		expect(() => takeOffHelp({ name, message, description: 'Correct it.' })).toThrow(toAdd);
		expect(() => takeOffHelp({ name, message, description: link('elsewhere') })).toThrow(toAdd);
		const twice = `${link('rate-limit-reached')} ${link('rate-limit-reached')}`;
		expect(() => takeOffHelp({ name, message, description: twice })).toThrow(toAdd);
	});

	it('is all of the description where there is no other', () => {
		const error = withHelp(new NodeOperationError(node, failure.message));
		expect(error.description).toMatch(/^<a href=[^>]+>More about this error<\/a>$/);
	});

	it.each([
		['errors of another kind', new Error(failure.message)],
		['other words', new NodeOperationError(node, 'Other words', { description: 'Correct it.' })],
	])('is not added to %s', (_, error) => {
		const before = { ...error };
		expect({ ...withHelp(error) }).toEqual(before);
	});
});
