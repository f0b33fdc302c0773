import { partsOf, fuzzTable } from '../../scripts/lib/fuzz-parts';
import { spoiltReply, type Change } from '../fuzz/answers';
import { CaseLimit } from '../fuzz/caseLimit';

const kinds = ['csv', 'sync'];

test('every case of every kind and seed is in one part, and no two parts have the same cases', () => {
	const parts = partsOf(kinds, [7, 8, 9], 60_000);

	expect(parts).toHaveLength(kinds.length * 3 * 3);
	for (const kind of kinds) {
		for (const seed of [7, 8, 9]) {
			const own = parts.filter((part) => part.kind === kind && part.seed === seed);
			expect(own.map(({ cases }) => cases)).toEqual([25_000, 25_000, 10_000]);
		}
		const seeds = parts.filter((part) => part.kind === kind).map(({ partSeed }) => partSeed);
		expect(new Set(seeds).size).toBe(seeds.length);
	}
	expect(parts[0]?.kind).toBe('sync');
});

test('the seed of a run is the seed of its first part, so that a printed seed runs the same cases again', () => {
	expect(partsOf(['csv'], [7], 25_000)).toEqual([
		{ kind: 'csv', seed: 7, partSeed: 7, cases: 25_000 },
	]);
});

test('the table adds the parts of a kind and seed up', () => {
	const part = { kind: 'csv', partSeed: 7, cases: 1_000, cpuMs: 2_000, megabytes: 400, ok: true };

	expect(
		fuzzTable([
			{ ...part, seed: 7, done: 1_000 },
			{ ...part, seed: 7, done: 1_000, megabytes: 500 },
			{ ...part, seed: 8, done: 0, ok: false },
		]),
	).toBe(
		[
			'Kind  Seed  Cases  CPU time  Per case  Memory',
			'csv   7     2,000  4 s       2.0 ms    500 MB',
			'csv   8     0      2 s                 400 MB  failed',
		].join('\n'),
	);
});

test.each(['deep', 'many'] as const)('an answer that is %s three times can be written', (how) => {
	const change: Change = { at: 0, how, key: 'x', value: 1 };
	// Each in the innermost place that the one before has made.
	const changes = [change, { ...change, at: 2_000 }, { ...change, at: 4_000 }];
	const usual = JSON.stringify({ status: 'success', message: {} });

	expect(() => spoiltReply(usual, { changes, status: 200 })).not.toThrow();
});

describe('a case', () => {
	const within = async (
		limits: ConstructorParameters<typeof CaseLimit>[0],
		work: () => Promise<void>,
	) => {
		const limit = new CaseLimit(limits);
		await limit.hold(work).finally(() => limit.end());
	};

	test('that waits forever is ended', async () => {
		// The time to compute is that of the whole process, which has other work as well.
		const limits = { maxIdleMs: 1_000, maxCpuMs: Infinity };
		const forever = async () => await new Promise<void>(() => undefined);

		await expect(within(limits, forever)).rejects.toThrow(/^It waited for \d+ s\.$/);
	});

	test('that computes too long fails, also without a pause in which something else could run', async () => {
		const compute = async () => {
			const { user } = process.cpuUsage();
			while (process.cpuUsage().user - user < 1_500_000);
		};

		await expect(within({ maxCpuMs: 200 }, compute)).rejects.toThrow(/^It computed for \d+ s\.$/);
	});

	test('that fails does so with its own error', async () => {
		const fail = async () => await Promise.reject(new Error('Wrong'));

		await expect(within({}, fail)).rejects.toThrow('Wrong');
	});
});
