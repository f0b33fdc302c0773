const SPECIAL: Record<string, string> = {
	ß: 'ss',
	ø: 'o',
	ł: 'l',
	æ: 'ae',
	œ: 'oe',
	đ: 'd',
	ı: 'i',
};

/**
 * Reduces a text to what people mean when they compare it by eye: lower case, no accents.
 *
 * @param text any text
 * @returns the text in lower case without diacritics; other characters are kept
 */
export function plain(text: string): string {
	return text
		.toLowerCase()
		.replace(/[ßøłæœđı]/g, (letter) => SPECIAL[letter] ?? letter)
		.normalize('NFD')
		.replace(/\p{M}+/gu, '');
}

/**
 * A key under which `E-mail`, `e_mail` and `E Mail` are the same.
 *
 * @param text any text
 * @returns its letters and digits only, in lower case and without accents
 */
export function fold(text: string): string {
	return plain(text).replace(/[^\p{L}\p{N}]+/gu, '');
}
