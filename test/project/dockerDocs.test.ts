import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { packageName } from '../../scripts/lib/demo-data';
import { targetsFor } from './scripts/targets';

const page = readFileSync(join(__dirname, '../../docs/docker-image.md'), 'utf8');
const nightly = join(__dirname, '../../.github/workflows/nightly.yml');

/** The only block of that kind on the page. */
function fenced(kind: string): string {
	const blocks = [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
	expect(blocks).toHaveLength(1);
	return blocks[0]?.[1] ?? '';
}

interface Service {
	environment?: Record<string, string>;
	image?: string;
	build?: string;
	command?: string;
	volumes?: string[];
}

interface Compose {
	services: Record<string, Service>;
	volumes: Record<string, unknown>;
}

it('the Compose file runs main and workers of the same image with the same settings', () => {
	const { services, volumes } = parse(fenced('yaml'), { merge: true }) as Compose;
	const { n8n, worker } = services;
	expect(worker?.build).toBe(n8n?.build);
	expect(worker?.environment).toEqual(n8n?.environment);
	expect(worker?.command).toMatch(/^worker/);
	expect(n8n?.environment).toMatchObject({
		EXECUTIONS_MODE: 'queue',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	});
	const used = Object.values(services).flatMap((service) => service.volumes ?? []);
	expect(used.map((volume) => volume.split(':')[0]).sort()).toEqual(Object.keys(volumes).sort());
});

it('the image puts the package where n8n looks for it, and each instruction is one of Docker', () => {
	const dockerfile = fenced('dockerfile').replace(/<<'EOF'[^\n]*\n[\s\S]*?^EOF$/gm, 'here');
	const instructions = dockerfile
		.replaceAll('\\\n', '')
		.split('\n')
		.filter((line) => line !== '' && !line.startsWith('#'))
		.map((line) => line.split(' ')[0]);
	expect(instructions).toEqual(['FROM', 'USER', 'COPY', 'RUN', 'USER', 'COPY', 'ENTRYPOINT']);
	expect(fenced('dockerfile')).toContain(`/home/node/.n8n/nodes/node_modules/${packageName}`);
});

it('the nightly tests run on each n8n of the matrix, and report when one fails', () => {
	const { chosen: targets } = targetsFor();
	const { jobs } = parse(readFileSync(nightly, 'utf8')) as {
		jobs: Record<string, { needs?: string[]; strategy?: { matrix: { n8n: string[] } } }>;
	};
	expect(jobs.matrix?.strategy?.matrix.n8n).toEqual(targets.map(({ name }) => name));
	const others = Object.keys(jobs).filter((name) => name !== 'report');
	expect(jobs.report?.needs).toEqual(others);
});
