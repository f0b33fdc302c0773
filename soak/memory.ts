import type { Finding } from '../test/histories/evidence.ts';
import type { World } from './world.ts';

const MB = 2 ** 20;
/** What n8n loads by and by after a start is not growth. */
const warmUpMs = 30_000;
/** In a shorter time garbage is collected too seldom to say anything. */
const shortestMinutes = 2;
/** How much the least heap of a half may differ by chance. */
const tolerance = { share: 1.3, mb: 40 };

export interface Sample {
	at: number;
	/** Which start of n8n it belongs to. */
	start: number;
	rss: number;
	heap: number;
}

/** What n8n says about its memory, in MB; undefined while it answers nothing, since its database is late. */
export async function sampleMemory(world: World): Promise<Sample | undefined> {
	const { main } = world.n8n;
	const start = main.starts;
	const response = await fetch(`${main.url}/metrics`);
	const text = await response.text();
	if (!response.ok) return undefined;
	const metric = (name: string) =>
		Number(new RegExp(`^n8n_${name} (\\S+)`, 'm').exec(text)?.[1] ?? NaN) / MB;
	const [rss, heap] = [
		metric('process_resident_memory_bytes'),
		metric('nodejs_heap_size_used_bytes'),
	];
	if (Number.isNaN(rss + heap))
		throw new Error(`n8n does not tell its memory: ${text.slice(0, 500)}`);
	return { at: Date.now(), start, rss, heap };
}

export interface Spread {
	min: number;
	median: number;
	max: number;
}

function spreadOf(values: number[]): Spread {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
	return { min: at(0), median: at(0.5), max: at(1) };
}

/** Of the straight line that fits best, in MB per minute. */
function slopeOf(samples: Sample[], value: (sample: Sample) => number): number {
	const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
	const [meanAt, meanValue] = [mean(samples.map(({ at }) => at)), mean(samples.map(value))];
	const spread = samples.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
	const shared = samples.reduce(
		(sum, sample) => sum + (sample.at - meanAt) * (value(sample) - meanValue),
		0,
	);
	return (shared / spread) * 60_000;
}

export interface MemoryFigures {
	samples: number;
	minutes: number;
	rss: { first: Spread; last: Spread; slope: number };
	heap: { first: Spread; last: Spread; slope: number };
}

/** The longest time that n8n ran without a kill, after its warm-up: its first half beside its last one. */
export function memoryFigures(samples: Sample[]): MemoryFigures | null {
	const byStart = Map.groupBy(samples, ({ start }) => start);
	const runs = [...byStart.values()].map((run) => {
		const first = run[0]?.at ?? 0;
		return run.filter(({ at }) => at >= first + warmUpMs);
	});
	const longest = runs.sort((a, b) => b.length - a.length)[0] ?? [];
	if (longest.length < 10) return null;
	const half = Math.floor(longest.length / 2);
	const of = (value: (sample: Sample) => number) => ({
		first: spreadOf(longest.slice(0, half).map(value)),
		last: spreadOf(longest.slice(half).map(value)),
		slope: slopeOf(longest, value),
	});
	const lasted = (longest.at(-1)?.at ?? 0) - (longest[0]?.at ?? 0);
	return {
		samples: longest.length,
		minutes: lasted / 60_000,
		rss: of(({ rss }) => rss),
		heap: of(({ heap }) => heap),
	};
}

/** Memory that is not given back: the heap after the garbage has gone is larger later on. */
export function growth(samples: Sample[]): Finding[] {
	const figures = memoryFigures(samples);
	if (figures === null || figures.minutes < shortestMinutes) return [];
	const [before, later] = [figures.heap.first.min, figures.heap.last.min];
	if (later <= Math.max(before * tolerance.share, before + tolerance.mb)) return [];
	const what = `the heap of n8n grew from ${before.toFixed(0)} to ${later.toFixed(0)} MB`;
	return [{ promise: 'Memory is given back', what }];
}
