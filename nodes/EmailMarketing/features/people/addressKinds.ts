import { editDistance } from '../../util/editDistance';

const nameOf = (key: string): string => key.slice(0, key.lastIndexOf('@'));
const domainOf = (key: string): string => key.slice(key.lastIndexOf('@') + 1);

const bigDomains = 'gmail.com googlemail.com hotmail.com icloud.com outlook.com yahoo.com'.split(
	' ',
);

const sorted = (text: string): string => [...text].sort().join('');

/** Whether one character is missing, added or wrong, or two are swapped. */
function isMisspelled(domain: string, big: string): boolean {
	if (Math.abs(domain.length - big.length) > 1) return false;
	const distance = editDistance(domain, big);
	return distance === 1 || (distance === 2 && sorted(domain) === sorted(big));
}

/**
 * The address that somebody probably meant, with one of the big domains in place of one like it. Those with another
 * first letter are no slips but providers of their own: mail.com, ymail.com, cloud.com.
 *
 * @param key see `addressKey`
 */
export function meantAddress(key: string): string | undefined {
	const domain = domainOf(key);
	const meant = bigDomains.find((big) => big[0] === domain[0] && isMisspelled(domain, big));
	return meant && `${nameOf(key)}@${meant}`;
}

/** The mailboxes of RFC 2142, and others that usually more than one person reads. */
const roles = new Set(
	`abuse ftp hostmaster info marketing news noc postmaster sales security support usenet uucp webmaster www
	admin billing contact hello no-reply noreply office team`.split(/\s+/),
);

export const isRole = (key: string): boolean => roles.has(nameOf(key).replace(/\+.*/, ''));

/** The same for all addresses of one Gmail mailbox, which takes no notice of dots and of what follows a plus. */
export function gmailKey(key: string): string {
	if (!/^(?:gmail|googlemail)\.com$/.test(domainOf(key))) return key;
	return `${nameOf(key).replace(/\+.*|\./g, '')}@gmail.com`;
}
