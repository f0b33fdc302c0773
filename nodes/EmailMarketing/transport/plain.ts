/**
 * A value that others have given, as text. Objects have none: what JavaScript makes of them is nothing for people,
 * and one with a `toString` of its own can make it throw.
 *
 * @returns '' for objects, lists, null and undefined
 */
export function plainText(value: unknown): string {
	if (typeof value === 'string') return value;
	return ['number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : '';
}

/** @returns the number, or the one that a text says; NaN for everything else */
export function plainNumber(value: unknown): number {
	if (typeof value === 'number') return value;
	return typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
}

/** @returns undefined for what JSON has no form for, and for what is nested too deeply */
export function toJson(value: unknown): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}
