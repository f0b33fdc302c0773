import type { IPollFunctions } from 'n8n-workflow';

import { InvalidInput, valueRequired } from '../params/invalidInput';
import { sentAtReaderOf } from '../params/time';
import { listOf, rawParameter } from '../params/values';
import { quote } from '../util/text';
import { MAX_AGES } from './milestones';
import type { Row, Watch } from './types';

const label = 'Snapshot Ages';
const MINUTES: Record<string, number> = { m: 1, h: 60, d: 24 * 60 };
const MOST_MINUTES = 365 * 24 * 60;

/** @returns minutes */
function ageOf(text: string): number {
	const [, number, unit = ''] =
		/^(\d+(?:\.\d+)?)\s*(m|h|d)(?:in|inutes?|ours?|ays?)?$/i.exec(text) ?? [];
	const minutes = Math.round(Number(number) * (MINUTES[unit.toLowerCase()] ?? NaN));
	if (Number.isNaN(minutes)) {
		throw new InvalidInput(
			'age-invalid',
			`"${label}" has an age that is not valid: ${quote(text)}`,
			'Enter each age as a number and a unit, such as 30m, 1h or 7d, separated by commas.',
		);
	}
	if (minutes < 1 || minutes > MOST_MINUTES) {
		throw new InvalidInput(
			'age-out-of-range',
			`"${label}" must be between 1 minute and 365 days, but one is ${quote(text)}`,
			'Correct the age, or remove it.',
		);
	}
	return minutes;
}

/** @throws InvalidInput if there is none, or an invalid one */
export function parseAges(value: unknown): number[] {
	const ages = [...new Set(listOf(value, label).map(ageOf))];
	if (ages.length === 0) {
		throw valueRequired(
			label,
			'Enter at least one age, such as 24h, or remove "Campaign (Single Send) Statistics Snapshot" from "Events".',
		);
	}
	if (ages.length > MAX_AGES) {
		throw new InvalidInput(
			'too-many-thresholds',
			`"${label}" can have at most ${MAX_AGES} ages`,
			'Remove some of them, or move them to a second trigger node.',
		);
	}
	return ages.sort((a, b) => a - b);
}

/** @throws InvalidInput for an invalid parameter */
export function readAges(context: IPollFunctions): Pick<Watch, 'ages' | 'sentAt'> {
	const ages = parseAges(context.getNodeParameter('snapshotAges', ''));
	const read = sentAtReaderOf({
		param: (path, fallback) => context.getNodeParameter(path, fallback),
		raw: (path) => rawParameter(context, path),
		isTool: false,
	});
	return { ages, sentAt: ({ sent_at }: Row) => read(sent_at) };
}
