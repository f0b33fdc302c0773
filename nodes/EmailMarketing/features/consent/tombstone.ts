import { createHmac } from 'crypto';

const hmac = (text: string, secret: string): string =>
	createHmac('sha256', secret).update(text).digest('hex');

/** The prefix of all tombstones of one secret. Without it, tombstones of another secret would silently match nobody. */
export const tombstonePrefix = (secret: string): string => `${hmac('', secret).slice(0, 8)}-`;

/**
 * A person in a form that can be compared, but not read.
 *
 * @param key see `addressKey`
 */
export const tombstoneOf = (
	key: string,
	secret: string,
	prefix = tombstonePrefix(secret),
): string => prefix + hmac(key, secret);

export const isTombstone = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{64}$/i.test(text);
