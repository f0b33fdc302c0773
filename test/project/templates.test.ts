import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const root = join(__dirname, '..', '..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

interface Field {
	type: string;
	id?: string;
	attributes: { label?: string; value?: string; options?: unknown[] };
	validations?: { required?: boolean };
}
interface Form {
	name: string;
	description: string;
	body: Field[];
}

const read = (name: string) => parse(textOf(`.github/ISSUE_TEMPLATE/${name}.yml`)) as Form;
const kinds = ['markdown', 'input', 'textarea', 'dropdown', 'checkboxes'];

it.each(['bug', 'feature'])('has a form for a %s that GitHub can show', (name) => {
	const { body, ...form } = read(name);
	expect([form.name, form.description]).not.toContain(undefined);
	const fields = body.filter(({ type }) => type !== 'markdown');
	expect(body.filter(({ type }) => !kinds.includes(type))).toEqual([]);
	expect(fields.filter(({ id, attributes }) => !id || !attributes.label)).toEqual([]);
	expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
	const choices = body.filter(({ type }) => ['dropdown', 'checkboxes'].includes(type));
	expect(choices.filter(({ attributes }) => !attributes.options?.length)).toEqual([]);
});

it('asks whoever reports a bug for what is needed to reproduce it', () => {
	const required = read('bug').body.filter(({ validations }) => validations?.required);
	const ids = required.map(({ id }) => id);
	expect(ids).toEqual(['package', 'n8n', 'mode', 'operation', 'expected', 'steps']);
	expect(read('bug').body.map(({ id }) => id)).toContain('error');
});

it('names files of this repository, and addresses that exist without it', () => {
	const files = globSync('.github/{ISSUE_TEMPLATE/*,PULL_REQUEST_TEMPLATE.md}', { cwd: root });
	const texts = files.map(textOf);
	const named = texts.flatMap((text) =>
		[...text.matchAll(/(?<![\w./])([\w./-]+\.md)\b/g)].map(([, path = '']) => path),
	);
	expect(named.length).toBeGreaterThan(3);
	expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
	expect(texts.filter((text) => text.includes('://github.com/'))).toEqual([]);
});
