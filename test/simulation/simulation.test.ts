import { explore } from './explore.ts';
import { simulate } from './simulate.ts';

const steps = 600;

it('the same seed does the same, byte for byte', async () => {
	const historyOf = async () =>
		JSON.stringify((await simulate({ seed: '7', steps })).history.entries);
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
