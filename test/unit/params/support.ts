import { InvalidInput } from '../../../nodes/EmailMarketing/params/invalidInput';
import type { Item } from '../../../nodes/EmailMarketing/params/item';

/** An item with these parameters, by their paths. */
export const itemWith = (
	parameters: Record<string, unknown> = {},
	rest: Partial<Item> = {},
): Item =>
	({
		index: 0,
		json: {},
		timezone: 'Europe/Berlin',
		param: (path: string, fallback: unknown) => parameters[path] ?? fallback,
		raw: () => undefined,
		isTool: false,
		...rest,
	}) as unknown as Item;

/** What is wrong with an input, and what to do about it. */
export function refusal(work: () => unknown): [message: string, remedy: string] {
	try {
		work();
	} catch (error) {
		if (error instanceof InvalidInput) return [error.message, error.remedy];
		throw error;
	}
	throw new Error('It was accepted');
}
