import { writeSync } from 'node:fs';
import fc from 'fast-check';

/** Cases of each fuzzer, and the seed that they come from: the same in every `npm test`. */
const runs = Number(process.env.EMAIL_MARKETING_FUZZ_RUNS ?? 1_000);
const seed = Number(process.env.EMAIL_MARKETING_FUZZ_SEED ?? 1);
const path = process.env.EMAIL_MARKETING_FUZZ_PATH;
const tellsProgress = process.env.EMAIL_MARKETING_FUZZ_PROGRESS !== undefined;

const progressMs = 5_000;
/** A case that takes longer hangs. */
const caseMs = 20_000;
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
	expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
	expect(Object.getPrototypeOf(Object.prototype)).toBeNull();
}

/**
 * A test of many made-up cases. A failure tells the seed, the smallest case that still fails, and how
 * to run just that again.
 *
 * @param check throws when something is not as it should be
 */
export function fuzz<T>(
	name: string,
	cases: fc.Arbitrary<T>,
	check: (one: T) => Promise<void>,
): void {
	it(
		`${name}: ${runs.toLocaleString('en')} cases`,
		async () => {
			let done = 0;
			let told = performance.now();
			const property = fc.asyncProperty(cases, async (one) => {
				await check(one);
				expectNoPollution();
				done++;
				if (!tellsProgress || performance.now() - told < progressMs) return;
				told = performance.now();
				writeSync(
					2,
					`fuzz ${name}: ${done.toLocaleString('en')} of ${runs.toLocaleString('en')}\n`,
				);
			});
			const result = await fc.check(property, {
				numRuns: runs,
				seed,
				path: path ?? '',
				timeout: caseMs,
			});
			if (!result.failed) return;
			const error = result.errorInstance as Error | undefined;
			throw new Error(
				[
					`Seed ${result.seed}, after ${result.numRuns} cases and ${result.numShrinks} smaller ones.`,
					`Again: npm run fuzz -- --only "${name}" --seed ${result.seed} --path ${result.counterexamplePath}`,
					`Case: ${show(result.counterexample?.[0])}`,
					error?.message ?? 'It did not come to an end.',
					error?.stack ?? '',
				].join('\n'),
			);
		},
		caseMs * 3 + runs * 200,
	);
}
