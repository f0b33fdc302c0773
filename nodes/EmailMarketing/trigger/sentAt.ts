import { sentAtReader } from '../params/time';
import type { Row } from './types';

/** How to read when a single send was sent. */
export interface SentAt {
	/** In milliseconds since 1970; undefined for a single send that is not sent yet. */
	sentAt: (row: Row) => number | undefined;
	/** Of `sentAt`, if it is not UTC. */
	sentAtTimezone?: string;
}

/** @throws InvalidInput for an unknown time zone */
export function sentAtIn(timezone: string): SentAt {
	const moment = sentAtReader(timezone);
	const isDefault = timezone === '' || timezone === 'UTC';
	return {
		sentAt: ({ sent_at }) => moment(sent_at),
		...(!isDefault && { sentAtTimezone: timezone }),
	};
}
