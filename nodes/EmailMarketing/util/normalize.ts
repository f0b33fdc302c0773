/** Letters that Unicode does not decompose into a base letter and a mark. */
const LETTERS: Record<string, string> = {
	ß: 'ss',
	ø: 'o',
	ł: 'l',
	æ: 'ae',
	œ: 'oe',
	đ: 'd',
	ı: 'i',
};

/** Reduces a text to what people compare by eye: lower case, without accents. Other characters are kept. */
export function normalize(text: string): string {
	return text
		.toLowerCase()
		.replace(/[ßøłæœđı]/g, (letter) => LETTERS[letter] ?? letter)
		.normalize('NFD')
		.replace(/\p{M}+/gu, '');
}

/** Normalized letters and digits only: `E-mail`, `e_mail` and `E Mail` have the same key. */
export function normalizeKey(text: string): string {
	return normalize(text).replace(/[^\p{L}\p{N}]+/gu, '');
}
