// npm run soak: an n8n that syncs contacts and watches campaigns while everything goes wrong, and
// what came of it. Minutes after `--`, ten unless given.
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Mode, prepareGround } from './ground.ts';
import type { Cursors } from './n8n.ts';
import { type Options, type Outcome, soakOnce } from './once.ts';
import { hasProblems, summary, verdict } from './summary.ts';

function positive(text: string): number {
	const minutes = Number(text);
	if (minutes > 0) return minutes;
	throw new InvalidArgumentError('It must be a number above 0.');
}

function whole(text: string): number {
	const count = positive(text);
	if (Number.isInteger(count)) return count;
	throw new InvalidArgumentError('It must be a whole number.');
}

const program = new Command('npm run soak --')
	.description(
		'Runs the nodes in n8n during faults and kills, and finds what was lost or duplicated.',
	)
	.argument('[minutes]', 'how long things happen', positive, 10)
	.option('--seed <text>', 'for the same choices as an earlier run', String(Date.now() % 1_000_000))
	.option('--runs <count>', 'how many runs, one after the other, with seeds of their own', whole, 1)
	.addOption(
		new Option('--mode <mode>', 'how n8n runs executions')
			.choices(['regular', 'queue'])
			.default('regular'),
	)
	.addOption(
		new Option(
			'--cursors <which>',
			'how n8n keeps what its triggers have seen (default: both at the same time, in queue mode durable)',
		).choices(['durable', 'plain', 'both']),
	)
	.option('--folder <path>', 'where to keep data and logs (default: a temporary folder)')
	.parse();
const {
	seed,
	runs,
	mode,
	cursors = mode === 'queue' ? 'durable' : 'both',
	...given
} = program.opts<{
	seed: string;
	runs: number;
	mode: Mode;
	cursors?: Cursors | 'both';
	folder?: string;
}>();
const [minutes] = program.processedArgs as [number];

async function makeFolder(): Promise<string> {
	if (given.folder === undefined) return await mkdtemp(join(tmpdir(), 'email-marketing-soak-'));
	await mkdir(given.folder, { recursive: true });
	return resolve(given.folder);
}

const folder = await makeFolder();
await chmod(folder, 0o755);
const seeds =
	runs === 1 ? [seed] : Array.from({ length: runs }, (_, index) => `${seed}.${index + 1}`);
const outcomes: Outcome[] = [];
const ground = await prepareGround(mode, folder);
const options: Options = {
	minutes,
	cursors: cursors === 'both' ? ['durable', 'plain'] : [cursors],
	ground,
	folder,
};
for (const one of seeds) {
	console.log(`Seed ${one}, ${minutes} minutes`);
	const outcome = await soakOnce(one, options);
	outcomes.push(outcome);
	if (hasProblems(outcome)) process.exitCode = 1;
	console.log(verdict(outcome));
}
if (runs > 1) console.log(`\n${summary(outcomes)}`);
await ground.remove();
if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true });
