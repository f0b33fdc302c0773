import { writeSync } from 'node:fs';
import fc from 'fast-check';

import { CaseLimit } from './caseLimit';

/** Cases of each fuzzer, and the seed that they come from: the same in every `npm test`. */
const runs = Number(process.env.EMAIL_MARKETING_FUZZ_RUNS ?? 400);
const seed = Number(process.env.EMAIL_MARKETING_FUZZ_SEED ?? 1);
const path = process.env.EMAIL_MARKETING_FUZZ_PATH;
/** Whether scripts/fuzz.ts reads along. */
const reports = process.env.EMAIL_MARKETING_FUZZ_REPORT !== undefined;

const progressMs = 30_000;
/** Each case has a limit of its own, and how many there are is up to the caller. */
const noLimitMs = 2 ** 31 - 1;
const shownLength = 4_000;

function show(value: unknown): string {
	const text = fc
		.stringify(value)
		.replace(
			/(.{1,40}?)\1{20,}/gsu,
			(all, piece: string) => `«${piece}»×${all.length / piece.length}`,
		);
	return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

const before = Object.getOwnPropertyNames(Object.prototype).join();

function expectNoPollution(): void {
	const now = Object.getOwnPropertyNames(Object.prototype).join();
	if (now !== before) throw new Error(`Object.prototype has other properties now: ${now}`);
	if (Object.getPrototypeOf(Object.prototype) !== null) {
		throw new Error('Object.prototype has a prototype');
	}
}

const report = (text: string) => reports && writeSync(2, `fuzz: ${text}\n`);

/** Processor time and memory of this process, which scripts/fuzz.ts puts into its table. */
function reportEnd(done: number): void {
	const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
	const cpuMs = Math.round((userCPUTime + systemCPUTime) / 1000);
	report(JSON.stringify({ done, cpuMs, megabytes: Math.round(maxRSS / 1024) }));
}

/**
 * A test of many made-up cases. A failure tells the seed, the smallest case that still fails, and how
 * to run just that again.
 *
 * @param name as the file is called
 * @param check throws when something is not as it should be
 * @param placeOf what the case is about, where that does not show in it
 */
export function fuzz<T>(
	name: string,
	cases: fc.Arbitrary<T>,
	check: (one: T) => Promise<void>,
	placeOf?: (one: T) => string,
): void {
	// Each of the many errors costs as much as its stack is deep. Jest's tests have 100.
	Error.stackTraceLimit = 10;
	it(
		`${name}: ${runs.toLocaleString('en')} cases`,
		async () => {
			const limit = new CaseLimit();
			let done = 0;
			let told = performance.now();
			const property = fc.asyncProperty(cases, async (one) => {
				await limit.hold(async () => await check(one));
				expectNoPollution();
				done++;
				if (performance.now() - told < progressMs) return;
				told = performance.now();
				report(`${done.toLocaleString('en')} of ${runs.toLocaleString('en')}`);
			});
			const result = await fc.check(property, { numRuns: runs, seed, path: path ?? '' });
			limit.end();
			if (!result.failed) {
				reportEnd(done);
				return;
			}
			const error = result.errorInstance as Error | undefined;
			const [smallest] = result.counterexample ?? [];
			const place = smallest === undefined ? undefined : placeOf?.(smallest);
			throw new Error(
				[
					`Seed ${result.seed}, after ${result.numRuns} cases and ${result.numShrinks} smaller ones.`,
					`Again: npm run fuzz -- --only ${name} --seed ${result.seed} --path ${result.counterexamplePath}`,
					`Case${place === undefined ? '' : ` of ${place}`}: ${show(smallest)}`,
					error?.message ?? 'It failed without an error.',
					error?.stack ?? '',
				].join('\n'),
			);
		},
		noLimitMs,
	);
}
