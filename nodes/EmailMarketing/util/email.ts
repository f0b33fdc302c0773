const MAX_ADDRESS_LENGTH = 254;
const ADDRESS = /^[^\s@,;:<>()[\]"\\]+@[^\s@,;:<>()[\]"\\]+$/;

/** Whether a trimmed text has the form of one email address with a domain that has a dot. */
export function isAddress(address: string): boolean {
	if (address.length > MAX_ADDRESS_LENGTH || !ADDRESS.test(address)) return false;
	const domain = address.slice(address.indexOf('@') + 1);
	return domain.includes('.') && !/^[.-]|\.\.|[.-]$/.test(domain);
}

/** The form in which two spellings of one address are the same. */
export function addressKey(address: string): string {
	return address.trim().toLowerCase();
}
