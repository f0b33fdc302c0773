import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import manifest from '../../package.json';

const root = join(__dirname, '..', '..');

interface Step {
	uses?: string;
	run?: string;
}
interface Job {
	steps: Step[];
	'timeout-minutes'?: number;
	permissions?: Record<string, string>;
	needs?: string | string[];
	environment?: string;
}
interface Workflow {
	name: string;
	permissions?: Record<string, string>;
	jobs: Record<string, Job>;
}

const files = globSync('.github/workflows/*.yml', { cwd: root }).sort();
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const read = (file: string) => parse(textOf(file)) as Workflow;
const workflows = files.map((file) => ({ file, ...read(file) }));
const steps = workflows.flatMap(({ file, jobs }) =>
	Object.values(jobs).flatMap((job) => job.steps.map((step) => ({ file, ...step }))),
);

/** The commit and the version of an action, as the line names them: `owner/name@commit # v1.2.3`. */
const pinned =
	/uses: (?<action>[\w.-]+\/[\w./-]+)@(?<commit>[0-9a-f]{40}) # (?<version>v\d+\.\d+\.\d+)$/;

const uses = files.flatMap((file) =>
	textOf(file)
		.split('\n')
		.filter((line) => /\buses:/.test(line))
		.map((line) => ({ file, line: line.trim(), found: pinned.exec(line)?.groups })),
);

it('pins every action to a commit, and names the version beside it', () => {
	expect(uses.length).toBeGreaterThan(10);
	expect(uses.filter(({ found }) => found === undefined)).toEqual([]);
});

it('takes the same commit of an action everywhere', () => {
	const repositoryOf = (action = '') => action.split('/').slice(0, 2).join('/');
	const commits = Map.groupBy(uses, ({ found }) => repositoryOf(found?.action));
	const different = [...commits].filter(
		([, lines]) => new Set(lines.map(({ found }) => found?.commit)).size > 1,
	);
	expect(different).toEqual([]);
});

it.each(workflows.map((workflow) => [workflow.file, workflow] as const))(
	'%s may only read at top level, and no job can hang',
	(_, { permissions, jobs }) => {
		expect(permissions).toEqual({ contents: 'read' });
		const endless = Object.keys(jobs).filter((name) => !jobs[name]?.['timeout-minutes']);
		expect(endless).toEqual([]);
	},
);

it('gives the right to write to nobody but those who need it', () => {
	const writers = workflows.flatMap(({ file, jobs }) =>
		Object.entries(jobs).flatMap(([name, { permissions = {} }]) =>
			Object.entries(permissions)
				.filter(([, right]) => right === 'write')
				.map(([what]) => `${file.split('/').at(-1)} ${name}: ${what}`),
		),
	);
	expect(writers.sort()).toEqual([
		'codeql.yml analyze: security-events',
		'nightly.yml report: issues',
		'publish.yml publish: id-token',
		'publish.yml release: contents',
		'scorecard.yml scorecard: id-token',
		'scorecard.yml scorecard: security-events',
	]);
});

it('puts nothing that others can write into a command', () => {
	const risky = steps.filter(({ run = '' }) =>
		/\$\{\{\s*(github\.(event|head_ref|ref_name)|inputs\.|steps\.|needs\.)/.test(run),
	);
	expect(risky).toEqual([]);
});

const commands = steps.flatMap(({ file, run = '' }) =>
	run.split('\n').map((command) => ({ file, command: command.trim() })),
);
const namesIn = (pattern: RegExp) =>
	commands.flatMap(({ command }) => [...command.matchAll(pattern)].map(([, name = '']) => name));

it('runs scripts that exist', () => {
	const scripts = namesIn(/\bnpm run ([\w:-]+)/g);
	expect(scripts).toContain('release');
	expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);
	const shell = namesIn(/\bbash (\S+)/g);
	expect(shell).toContain('.ci/run');
	expect(shell.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('names checks that npm test knows', () => {
	const script = textOf('scripts/test.ts');
	const asked = namesIn(/\bnpm test ([\w ]+)/g).flatMap((names) => names.trim().split(' '));
	expect(asked).toContain('engine');
	expect(asked.filter((name) => !new RegExp(`\\b${name}[:']`).test(script))).toEqual([]);
});

describe('publish.yml', () => {
	const { jobs } = read('.github/workflows/publish.yml');
	const run = (job: string) => (jobs[job]?.steps ?? []).flatMap(({ run = [] }) => run);

	it('publishes the tarball that the job before packed and checked, and builds nothing itself', () => {
		expect(jobs.publish?.needs).toBe('pack');
		expect(run('pack')).toEqual([
			'bash .ci/run',
			'npm run release -- --tag "$GITHUB_REF_NAME" --output release',
		]);
		expect(run('publish')).toEqual([
			'echo "$SHA512  release/$TARBALL" | sha512sum --check --strict',
			'npm publish "./release/$TARBALL" --provenance --access public',
		]);
		const actions = jobs.publish?.steps.flatMap(({ uses = [] }) => uses) ?? [];
		expect(actions.filter((action) => action.startsWith('actions/checkout@'))).toEqual([]);
	});

	it('has no token of npm anywhere', () => {
		expect(textOf('.github/workflows/publish.yml')).not.toMatch(
			/secrets\.|NODE_AUTH_TOKEN|NPM_TOKEN/,
		);
	});
});

it('has Dependabot look after every lock file, the actions and the images', () => {
	const { updates } = parse(textOf('.github/dependabot.yml')) as {
		updates: Array<{ 'package-ecosystem': string; directory?: string; directories?: string[] }>;
	};
	const folders = (ecosystem: string) =>
		updates
			.filter((update) => update['package-ecosystem'] === ecosystem)
			.flatMap(({ directory = [], directories = [] }) => [directory, directories].flat());
	const locked = globSync('{,runtime/*/}package-lock.json', { cwd: root }).map(
		(file) => `/${file.replace(/\/?package-lock\.json$/, '')}`,
	);
	const covers = (pattern: string, folder: string) =>
		pattern === folder || (pattern.endsWith('/*') && folder.startsWith(pattern.slice(0, -1)));
	expect(locked.length).toBeGreaterThan(2);
	expect(
		locked.filter((folder) => !folders('npm').some((pattern) => covers(pattern, folder))),
	).toEqual([]);
	expect(folders('github-actions')).toEqual(['/']);
	expect(folders('docker')).toEqual(['/docker']);
});
