const MAX_ADDRESS_LENGTH = 254;
const ADDRESS = /^[^\s\p{Cc},]+@[^\s\p{Cc},]+$/u;

/**
 * Whether a trimmed text may be an email address. Only texts that are certainly not one are ruled out; the service
 * judges the rest. Commas separate addresses in its requests (2, 9).
 */
export function isAddress(address: string): boolean {
	return address.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(address);
}

/** Whether the domain has a dot, as all domains on the internet do. */
export const hasDottedDomain = (address: string): boolean => /@.*\.[^.]+$/.test(address);

/** What an address looks like, as a sentence. */
export const ADDRESS_FORM =
	'An address begins with a letter or a digit, and has no spaces or commas. After the @, it has a domain with a dot, such as example.com.';

const IS_ASCII = /^[\x20-\x7e]*$/;
const IS_DOMAIN = /^[\p{L}\p{M}\p{N}.·・-]+$/u;

/** A domain with letters beyond ASCII, as the DNS knows it: `xn--…`. */
function asciiDomain(domain: string): string {
	if (IS_ASCII.test(domain) || !IS_DOMAIN.test(domain)) return domain;
	try {
		return new URL(`http://${domain}`).hostname;
	} catch {
		return domain;
	}
}

/** `"ada"@example.com` is `ada@example.com`; quotes around a space, a dot at an end and the like are needed. */
const unquoted = (address: string) =>
	address.startsWith('"')
		? address.replace(/^"([^\s"\\(),:;<>@[\].]+(?:\.[^\s"\\(),:;<>@[\].]+)*)"(?=@)/, '$1')
		: address;

/** A text without invisible characters, and with one form of each letter, whatever its encoding and width. */
export const visibleAddress = (address: string): string =>
	address
		.replace(/\p{Cf}+/gu, '')
		.normalize('NFKC')
		.trim();

/** The usual form of a visible address: without quotes that are not needed, and with dots in the domain. */
export function usualAddress(visible: string): string {
	const domainAt = visible.lastIndexOf('@') + 1;
	return unquoted(visible.slice(0, domainAt)) + visible.slice(domainAt).replaceAll('。', '.');
}

/** The same with apostrophes and dashes as keyboards have them: word processors write `’` for `'`, and `‑` for `-`. */
export const keyboardAddress = (address: string): string =>
	address.replace(/[\u2018\u2019\u02bc\u2032]/g, "'").replace(/[\u2010-\u2015\u2212]/g, '-');

/**
 * The form in which two spellings are certainly one address to the service. For lists of unsubscribes, where adding an
 * address again in another spelling is safer than leaving it out.
 */
export const spellingKey = (address: string): string => address.trim().toLowerCase();

/**
 * The form in which two spellings of one address are the same: whatever their case, the encoding of their letters,
 * invisible characters in them, quotes that are not needed, the form of apostrophes and dashes, and whether the domain is
 * written in letters or as `xn--…`.
 */
export function addressKey(address: string): string {
	const key = address.trim().toLowerCase();
	if (IS_ASCII.test(key)) return unquoted(key);
	const usual = keyboardAddress(usualAddress(visibleAddress(key).toLowerCase()));
	const domainAt = usual.lastIndexOf('@') + 1;
	return usual.slice(0, domainAt) + asciiDomain(usual.slice(domainAt));
}
