import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { explore } from './explore.ts';
import { findFault } from './findFault.ts';
import { handMadeFaults } from './handMadeFaults.ts';
import { root } from './root.ts';
import { simulate } from './simulate.ts';

const steps = 600;

it('the same seed does the same, byte for byte', async () => {
	const historyOf = async () =>
		JSON.stringify((await simulate({ seed: '7', steps })).evidence.entries);
	const once = await historyOf();
	expect(once.length).toBeGreaterThan(50_000);
	expect(await historyOf()).toBe(once);
});

it.each(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'])(
	'seed %s breaks no promise',
	async (seed) => {
		const { findings } = await explore(seed, { steps });
		expect(findings).toEqual([]);
	},
);

it.each(handMadeFaults)('the code has the place for a mistake: $name', ({ file, from }) => {
	expect(readFileSync(join(root, 'nodes', 'EmailMarketing', file), 'utf8')).toContain(from);
});

it.each([
	'forget to save the state of a poll',
	'let an overlapping poll run',
	'lose the last record of every list',
	'find nobody on the lists of unsubscribes',
	'set an automation live again',
])('a mistake that is put in by hand is found, and again with its seed: %s', async (name) => {
	const fault = handMadeFaults.find((one) => one.name === name);
	if (!fault) throw new Error('There is no such mistake');
	const found = await findFault(fault, { seed: 1, seeds: 10, steps: 1_500 });
	expect(found?.findings.length).toBeGreaterThan(0);
});
