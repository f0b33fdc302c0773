const prefix = '[Test] ';

/** No other single send has such a name: a copy whose response is lost is found by it. */
const suffix = (): string =>
	`${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`;

/** The name of a test. */
export const testName = (name: string): string => `${prefix}${name} (${suffix()})`;

/** The subject of a test. */
export const testSubject = (subject: string): string => `${prefix}${subject}`;

/** Whether a single send of this name is a test. */
export const isTestName = (name: string): boolean =>
	name.startsWith(prefix) && /\([0-9a-z]{8,}-[0-9a-z]{6}\)$/.test(name);
