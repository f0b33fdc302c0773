/** A value that cannot be sent as text; `problem` completes the sentence "<Field> …". */
export interface NotText {
	problem: string;
}

/**
 * Reads a value as the API would get it.
 *
 * @param value anything an item can hold
 * @returns the trimmed text; '' for null, undefined and blank text; a problem for lists, objects and NaN
 */
export function toText(value: unknown): string | NotText {
	if (typeof value === 'string') return value.trim();
	if (value === null || value === undefined) return '';
	if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
	if (typeof value === 'number') {
		return Number.isFinite(value) ? String(value) : { problem: `is ${value}, which is no text` };
	}
	if (Array.isArray(value)) return { problem: 'is a list; give one text' };
	return { problem: 'is an object; give one of its fields' };
}

const ASCII = /^[ -~]*$/;

/**
 * @param a one text
 * @param b another text
 * @returns whether both are the same but for outer blanks, line endings and Unicode composition
 */
export function sameText(a: string, b: string): boolean {
	if (a === b) return true;
	return canonical(a) === canonical(b);
}

function canonical(text: string): string {
	const trimmed = text.trim();
	if (ASCII.test(trimmed)) return trimmed;
	return trimmed.replace(/\r\n?/g, '\n').normalize('NFC');
}

const MAX_ADDRESS_LENGTH = 254;
const ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;

/**
 * @param address a trimmed text
 * @returns whether it has the form of one email address with a domain that has a dot
 */
export function isAddress(address: string): boolean {
	if (address.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(address)) return false;
	const domain = address.slice(address.indexOf('@') + 1);
	return domain.includes('.') && !/^[.-]|\.\.|[.-]$/.test(domain);
}

/**
 * @param address an email address as somebody wrote it
 * @returns the form in which two spellings of one address are the same
 */
export function addressKey(address: string): string {
	return address.trim().toLowerCase();
}
