/** A value that cannot be sent as text; `problem` completes the sentence "<Field> …". */
export interface NotText {
	problem: string;
}

/**
 * Reads a mapped value in the form that the API receives, even if it is cut inside an emoji. For values that are only
 * shown or compared, use `coerceText`, which reports no problems.
 *
 * @returns the trimmed text; '' for null, undefined and blank text; a problem for lists, objects and NaN
 */
export function toText(value: unknown): string | NotText {
	if (typeof value === 'string') return value.trim().toWellFormed();
	if (value === null || value === undefined) return '';
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (typeof value === 'number') {
		return Number.isFinite(value) ? String(value) : { problem: `is ${value}, which is not text` };
	}
	if (Array.isArray(value)) return { problem: 'is a list. Map a single value' };
	return { problem: 'is an object. Map one of its fields' };
}

const ASCII = /^[ -~]*$/;

/** Whether two texts are the same except for outer spaces, line endings, Unicode composition and halves of characters. */
export function sameText(a: string, b: string): boolean {
	return a === b || canonical(a) === canonical(b);
}

function canonical(text: string): string {
	const trimmed = text.trim();
	if (ASCII.test(trimmed)) return trimmed;
	return trimmed.replace(/\r\n?/g, '\n').normalize('NFC').toWellFormed();
}
