import { explore, type Explored } from './explore.ts';
import type { CodeChange } from './published.ts';
import { PublishedCode } from './published.ts';

/**
 * The first seed whose checkers notice a mistake that is put into the code, run twice.
 *
 * @returns undefined if none of them notices it
 * @throws if the same seed says something else the second time
 */
export async function findFault(
	change: CodeChange,
	{ seed, seeds, steps }: { seed: number; seeds: number; steps: number },
): Promise<Explored | undefined> {
	const code = new PublishedCode([change]);
	for (let at = seed; at < seed + seeds; at++) {
		const found = await explore(String(at), { steps, code });
		if (found.findings.length === 0) continue;
		const again = await explore(String(at), { steps, code: new PublishedCode([change]) });
		if (JSON.stringify(again.entries) !== JSON.stringify(found.entries)) {
			throw new Error(`Seed ${at} does not do the same again`);
		}
		return found;
	}
	return undefined;
}
