import type { Failure } from '../../../nodes/EmailMarketing/service/failure';

/** The failure of a service that is busy. */
export const failure = (rest: Partial<Failure> = {}): Failure => ({
	code: 'service-unavailable',
	message: 'Busy',
	description: 'Try again later.',
	effect: 'none',
	retryable: true,
	...rest,
});
