const MAX_ADDRESS_LENGTH = 254;
const ADDRESS = /^[^\s\p{Cc},]+@[^\s\p{Cc},]+$/u;

/**
 * Whether a trimmed text may be an email address. Only what certainly is none is ruled out; everything else is the
 * service's to judge. Commas separate addresses in its requests (2, 9).
 */
export function isAddress(address: string): boolean {
	return address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address);
}

/** What an address looks like, as a sentence. */
export const ADDRESS_FORM =
	'An address has an @ with text on both sides, no spaces and no commas, and at most 254 characters.';

/** The form in which two spellings of one address are the same. */
export function addressKey(address: string): string {
	return address.trim().toLowerCase();
}
