import { execFileSync } from 'node:child_process';
import { library } from './freshHome';

interface Targets {
	chosen: Array<{ name: string; n8nVersion: string; n8n: { name: string } }>;
	unknown: string[];
	/** The folders in runtime/ that those need. */
	installations: string[];
}

/** What `npm run test:matrix` would run on, as a Node that reads its modules as they are has it. */
export function targetsFor(...args: string[]): Targets {
	const text = `
		import { chooseTargets, installationsOf } from ${library('n8n-targets.mjs')};
		const { chosen, unknown } = chooseTargets(${JSON.stringify(args)});
		const installations = installationsOf(chosen).map(({ name }) => name);
		console.log(JSON.stringify({ chosen, unknown, installations }));`;
	const options = ['--input-type=module', '--eval', text];
	return JSON.parse(execFileSync(process.execPath, options, { encoding: 'utf8' })) as Targets;
}
