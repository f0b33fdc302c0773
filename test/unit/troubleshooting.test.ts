import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
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

const page = readFileSync(join(root, 'docs', 'troubleshooting.md'), 'utf8').replaceAll('\\|', '|');
const sentences = new Set(
	['nodes', 'credentials'].flatMap((folder) =>
		sourceFiles(join(root, folder)).flatMap(sentencesOf),
	),
);

it('says about every failure of ours why it happens and what to do', () => {
	expect(sentences.size).toBeGreaterThan(100);
	expect([...sentences].filter((sentence) => !page.includes(sentence))).toEqual([]);
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
