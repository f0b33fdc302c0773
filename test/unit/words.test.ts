import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import ts from 'typescript';

import { EmailMarketingApi } from '../../credentials/EmailMarketingApi.credentials';
import { EmailMarketingTrigger } from '../../nodes/EmailMarketing/EmailMarketingTrigger.node';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';
import { parse, sourceFiles, textOf } from './literals';
import { node } from './operations';
import { wordProblems } from './wordList';

const root = join(__dirname, '..', '..');

interface Text {
	/** Where it stands, for the message. */
	at: string;
	kind: 'label' | 'description' | 'placeholder' | 'hint' | 'action' | 'notice';
	text: string;
	type?: string;
}

const isProperty = (entry: unknown): entry is INodeProperties =>
	typeof entry === 'object' && entry !== null && 'displayName' in entry && 'name' in entry;

/** The texts of fields, with those of their options and of the fields inside them. */
function textsOf(entries: unknown[], path: string): Text[] {
	return entries.flatMap((entry) => {
		const one = entry as INodeProperties & { action?: string; values?: unknown[] };
		const at = `${path} > ${one.displayName ?? one.name}`;
		const label = isProperty(entry) ? one.displayName : one.name;
		const texts: Array<Omit<Text, 'at'>> = [
			{ kind: one.type === 'notice' ? 'notice' : 'label', text: label },
			...(['description', 'hint', 'placeholder', 'action'] as const).map((kind) => ({
				...{ kind, type: one.type },
				text: String(one[kind] ?? ''),
			})),
		];
		return [
			...texts.filter(({ text }) => text !== '').map((text) => ({ ...text, at })),
			...textsOf(one.options ?? [], at),
			...textsOf(one.values ?? [], at),
			...textsOf(one.modes ?? [], at),
		];
	});
}

const trigger = new EmailMarketingTrigger().description;
const editor: Text[] = [
	...[node.description, trigger].flatMap(({ displayName, description, properties }) => [
		{ at: displayName, kind: 'description' as const, text: description },
		...textsOf(properties, displayName),
	]),
	...textsOf(new EmailMarketingApi().properties, 'Credential'),
];

const plain = (text: string) => text.replace(/<[^>]+>/g, '').replace(/\b(?:e\.g|i\.e)\. /g, '');
const sentencesIn = (text: string) => plain(text).split(/[.!?] (?=["'“A-Z\d])/).length;

/** Short words that Title Case leaves small inside a label. */
const small = /^(?:a|an|and|as|at|but|by|for|from|in|into|n8n|of|on|or|per|the|to|via|with)$/;
const isTitleCase = (label: string) =>
	label
		.split(/[\s/(]+/)
		.every((word, index) => !/^[a-z]/.test(word) || (index > 0 && small.test(word)));

const isSentenceCase = (text: string) => !/^[a-z]/.test(text) || /^n8n\b/.test(text);

/** What is wrong with how a text of the editor is written. */
function styleProblems({ kind, text, type }: Text): string[] {
	switch (kind) {
		case 'label':
			return isTitleCase(text) ? [] : ['is not in Title Case'];
		case 'action':
			return [
				...(/\b(?:an?|the)\b/i.test(text) ? ['has an article'] : []),
				...(isSentenceCase(text) && !text.endsWith('.') ? [] : ['is not in sentence case']),
			];
		case 'placeholder': {
			const isAdding = type === 'collection' || type === 'fixedCollection';
			if (isAdding) return /^Add [a-z]/.test(text) ? [] : ['is not "Add …" in sentence case'];
			// The list of a locator shows it in place of "Choose...", so it says what no choice means.
			if (type === 'list') return isSentenceCase(text) ? [] : ['is not in sentence case'];
			return text.startsWith('e.g. ') ? [] : ['does not begin with "e.g. "'];
		}
		default: {
			const ends = plain(text).endsWith('.');
			const several = sentencesIn(text) > 1;
			return [
				...(/\bwhat you\b/i.test(text) ? ['has a clause with "what you"'] : []),
				...(isSentenceCase(text) ? [] : ['does not begin with a capital']),
				...(ends && !several ? ['is one sentence and ends with a full stop'] : []),
				...(!ends && several ? ['is several sentences and ends without a full stop'] : []),
			];
		}
	}
}

it('writes labels, actions, descriptions and placeholders as n8n does', () => {
	expect(editor.length).toBeGreaterThan(400);
	const problems = editor.flatMap((text) =>
		styleProblems(text).map((problem) => `${text.at}: the ${text.kind} "${text.text}" ${problem}`),
	);
	expect(problems).toEqual([]);
});

it('uses the words of the glossary in the editor', () => {
	const problems = editor.flatMap(({ at, text }) =>
		wordProblems(text).map((problem) => `${at}: ${problem}, in: ${text}`),
	);
	expect(problems).toEqual([]);
});

/** The literals of a source file that are more than one word. */
function literalsOf(path: string): string[] {
	const found: string[] = [];
	const visit = (one: ts.Node): void => {
		const text = textOf(one);
		if (text === undefined) ts.forEachChild(one, visit);
		else if (/[a-z] [\w(]/.test(text)) found.push(text);
	};
	visit(parse(path));
	return found;
}

/** Whose texts are those of the editor. */
const descriptions = /(?:\/resources\/.+|\/properties|\.credentials)\.ts$/;
const sources = sourceFiles(join(root, 'nodes')).filter((path) => !descriptions.test(path));

it.each(sources.map((path) => [relative(root, path), path]))(
	'uses the words of the glossary in errors and other texts of %s',
	(_, path) => {
		const problems = literalsOf(path).flatMap((text) =>
			wordProblems(text).map((problem) => `${problem}, in: ${text}`),
		);
		expect(problems).toEqual([]);
	},
);

const pagesIn = (folder: string) =>
	readdirSync(join(root, folder))
		.filter((file) => file.endsWith('.md'))
		.map((file) => join(folder, file));

/** A page without what a program reads or writes: code, links, and comments. */
const prose = (text: string) =>
	text
		.replace(/^ *```[\s\S]*?^ *```$/gm, '')
		.replace(/`[^`]*`/g, 'code')
		.replace(/<!--[\s\S]*?-->/g, '')
		.replace(/\]\([^)]*\)/g, ']');

const pages = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'],
	...['docs', 'docker', 'examples', 'sandbox'].flatMap(pagesIn),
];

it.each(pages)('uses the words of the glossary in %s', (page) => {
	const problems = prose(readFileSync(join(root, page), 'utf8'))
		.split('\n')
		.flatMap((line) => wordProblems(line).map((problem) => `${problem}, in: ${line.trim()}`));
	expect(problems).toEqual([]);
});

const examples = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.json'));

it.each(examples)('uses the words of the glossary in examples/%s', (file) => {
	const text = readFileSync(join(root, 'examples', file), 'utf8');
	const { name, nodes } = JSON.parse(text) as WorkflowJson;
	const texts = [name, ...nodes.flatMap((one) => [one.name, JSON.stringify(one.parameters)])];
	expect(texts.flatMap(wordProblems)).toEqual([]);
});
