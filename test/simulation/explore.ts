import type { Finding } from '../histories/evidence.ts';
import { check, checkReference } from '../histories/index.ts';
import type { Entry } from '../histories/history.ts';
import type { PublishedCode } from './published.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';
import { happened } from './sometimes.ts';

export interface Explored {
	seed: string;
	/** With trouble. */
	asked: number;
	/** In all. */
	steps: number;
	findings: Finding[];
	/** Of what `sometimes` lists, other than what is known to happen. */
	happened: string[];
	/** Of what happened around n8n. */
	troubles: number[];
	entries: readonly Entry[];
}

const fewest = 30;

interface Options {
	steps: number;
	code?: PublishedCode;
	leftOut?: ReadonlySet<number>;
	known?: ReadonlySet<string>;
}

/** One seed, and what the checkers say about it. */
export async function explore(seed: string, options: Options): Promise<Explored> {
	const simulation = await simulate({ seed, ...options });
	const { steps, troubles, evidence, violations } = simulation;
	const { entries } = evidence;
	const all = [...check(evidence), ...checkReference(violations)];
	const findings = all.filter(({ expected }) => expected === undefined);
	return {
		seed,
		asked: options.steps,
		steps,
		findings,
		happened: happened(entries, options.known ?? new Set()),
		troubles,
		entries,
	};
}

/** The same promise broken in as few steps, and with as little around it, as possible. */
export async function smallest(found: Explored, options: Options): Promise<Explored> {
	const [first] = found.findings;
	let small = found;
	const isSame = (again: Explored) => {
		const is = again.findings.some(({ promise }) => promise === first?.promise);
		if (is) small = again;
		return is;
	};
	let { steps } = options;
	const { seed } = found;
	while (steps > fewest && isSame(await explore(seed, { ...options, steps: steps >> 1 })))
		steps >>= 1;
	await shrink(small.troubles, async (leftOut) =>
		isSame(await explore(seed, { ...options, steps, leftOut })),
	);
	return { ...small, asked: steps };
}
