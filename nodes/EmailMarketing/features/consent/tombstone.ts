import { createHmac } from 'crypto';

const hmac = (text: string, secret: string): string =>
	createHmac('sha256', secret).update(text).digest('hex');

/** What tombstones of one secret begin with: those made with another one would match nobody, unnoticed. */
export const tombstonePrefix = (secret: string): string => `${hmac('', secret).slice(0, 8)}-`;

/**
 * A person as others can compare it, but not read it.
 *
 * @param key see `addressKey`
 */
export const tombstoneOf = (
	key: string,
	secret: string,
	prefix = tombstonePrefix(secret),
): string => prefix + hmac(key, secret);

export const isTombstone = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{64}$/i.test(text);
