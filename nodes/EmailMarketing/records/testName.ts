import type { IDataObject } from 'n8n-workflow';

import { coerceText } from '../util/coerce';

const prefix = '[Test] ';

/** No other single send has such a name: a copy whose response is lost is found by it. */
const suffix = (): string =>
	`${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8).padEnd(6, '0')}`;

/** The name of a test. */
export const testName = (name: string): string => `${prefix}${name} (${suffix()})`;

/** The subject of a test. */
export const testSubject = (subject: string): string => `${prefix}${subject}`;

/** Whether a record is a single send that "Send Test" has created, which only its name shows. */
export const isTestSend = ({ single_send_name }: IDataObject): boolean => {
	const name = coerceText(single_send_name);
	return name.startsWith(prefix) && /\([0-9a-z]{8,}-[0-9a-z]{6}\)$/.test(name);
};
