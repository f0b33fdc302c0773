import type { Finding } from '../test/histories/evidence.ts';

/** What a report counts. */
export type Kind = 'lost' | 'doubled' | 'wrong' | 'expected';

const KINDS: Record<string, Kind> = {
	'No event is lost': 'lost',
	'In the end, the service has what the input says': 'lost',
	'No event is reported twice': 'doubled',
	'Nobody is added twice': 'doubled',
	'No write is repeated that may have succeeded': 'doubled',
};

export const kindOf = ({ promise, expected }: Finding): Kind =>
	expected === undefined ? (KINDS[promise] ?? 'wrong') : 'expected';

/** One line about a promise that was not kept. */
export const shownFinding = (finding: Finding): string => {
	const { promise, what, expected } = finding;
	return `${kindOf(finding)}: ${promise}: ${what}${expected ? ` (${expected})` : ''}`;
};
