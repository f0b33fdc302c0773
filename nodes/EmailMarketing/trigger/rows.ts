import type { Row } from './types';

export const idOf = (row: Row): number => Number(row.id);

const TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d/;

/** When a row was updated; empty where that is no time: nothing would ever be newer than it. */
export const updatedAt = ({ updated_at: time }: Row): string =>
	typeof time === 'string' && TIME.test(time) ? time : '';
