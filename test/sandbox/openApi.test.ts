import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(__dirname, '..', '..');
const document = join(root, 'docs', 'dev', 'openapi.yaml');
const run = promisify(execFile);

/** @throws Error with the problems as its `stdout` */
const lint = async (path: string) =>
	await run(process.execPath, [join('scripts', 'lib', 'lint-openapi.mjs'), path], { cwd: root });

it('docs/dev/openapi.yaml is an OpenAPI document without problems', async () => {
	expect(await lint(document)).toEqual({ stdout: '', stderr: '' });
});

it('problems are found', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
	try {
		const broken = join(folder, 'openapi.yaml');
		const text = await readFile(document, 'utf8');
		await writeFile(broken, text.replace('#/components/schemas/Unsubscriber', '#/nowhere'));
		await expect(lint(broken)).rejects.toThrow();
	} finally {
		await rm(folder, { recursive: true });
	}
});
