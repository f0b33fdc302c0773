import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Files whose texts are names of things. */
const wordLists = /(?:labels|countryNames|contacts\/fields|\.node)\.ts$/;

/** The published sources of a folder that say something to people. */
export function sourceFiles(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return sourceFiles(path);
		return path.endsWith('.ts') && !wordLists.test(path) ? [path] : [];
	});
}

/** The text of a literal, with … in place of what is put into it. */
export function textOf(node: ts.Node): string | undefined {
	if (ts.isStringLiteralLike(node)) return node.text;
	if (!ts.isTemplateExpression(node)) return undefined;
	return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

export const parse = (path: string): ts.SourceFile =>
	ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
