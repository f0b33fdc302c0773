import { checkErasures } from './erasures.ts';
import { checkEvents } from './events.ts';
import type { Evidence, Finding } from './evidence.ts';
import { checkPeople } from './people.ts';
import { checkRuns } from './runs.ts';
import { checkSends } from './sends.ts';

/** All promises, over any history. */
export const check = (evidence: Evidence): Finding[] => [
	...checkEvents(evidence),
	...checkPeople(evidence),
	...checkSends(evidence),
	...checkErasures(evidence),
	...checkRuns(evidence),
];

/** @param violations what the service has noted about requests */
export const checkReference = (violations: readonly string[]): Finding[] =>
	violations.map((what) => ({ promise: 'Every request is one of the API reference', what }));
