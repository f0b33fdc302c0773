import type { Simulation } from '../simulate.ts';
import { checkErasures } from './erasures.ts';
import { checkEvents } from './events.ts';
import type { Evidence, Finding } from './finding.ts';
import { checkPeople } from './people.ts';
import { checkRuns } from './runs.ts';
import { checkSends } from './sends.ts';

export type { Finding } from './finding.ts';

export const check = (evidence: Evidence): Finding[] => [
	...checkEvents(evidence),
	...checkPeople(evidence),
	...checkSends(evidence),
	...checkErasures(evidence),
	...checkRuns(evidence),
];

export const findingsOf = (simulation: Simulation): Finding[] => [
	...check({ ...simulation, entries: simulation.history.entries }),
	...simulation.service.violations.map((what) => ({
		promise: 'Every request is one of the API reference',
		what,
	})),
];
