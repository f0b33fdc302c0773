import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { statisticsOf } from '../records/statistics';
import { isStatusChoice } from '../records/statusLabels';
import { emptyExpression, numberOf } from '../params/givenOption';
import { InvalidInput, valueRequired } from '../params/invalidInput';
import { entriesOf as splitList, isExpression, isOn, rawParameter } from '../params/values';
import { coerceNumber, coerceText, isEmpty, isId, isUtr } from '../util/coerce';
import { quote } from '../util/text';
import { readAges } from './ageParameters';
import { MAX_THRESHOLDS, thresholdName, toThreshold } from './milestones';
import { EVENT_NAMES, HEARTBEAT, kindOf } from './sources';
import type { EventName, StatisticsSource } from './sources';
import type { StatusFilter, Threshold, Watch } from './types';

/** The entries of a list, including holes, or a single value as a list. */
const entriesOf = (value: unknown): unknown[] =>
	Array.isArray(value) ? Array.from(value as unknown[]) : [value];

/** @throws InvalidInput if an expression returned nothing, because every change would start the workflow */
function readFilter(
	context: IPollFunctions,
	parameter: string,
	kind: 'Campaign' | 'Automation',
): StatusFilter {
	const filters = context.getNodeParameter(parameter, {}) as IDataObject;
	const chosen = (name: string, label: string): string[] => {
		if (!Object.hasOwn(filters, name)) return [];
		const { [name]: value } = filters;
		const texts = entriesOf(value).map((entry) => coerceText(entry).trim());
		const isNothing =
			texts.length === 0 && isExpression(rawParameter(context, `${parameter}.${name}`));
		if (!texts.includes('') && !isNothing) return texts;
		throw new InvalidInput(
			'filter-not-text',
			`"${label}" in "${kind} Filters" is empty or not text: ${quote(value)}`,
			'Choose from the list, return an array of strings, or remove the filter.',
		);
	};
	const statuses = (name: string, label: string): string[] => {
		const codes = chosen(name, label);
		const unknown = codes.find((code) => !isStatusChoice(code));
		if (unknown === undefined) return codes;
		throw new InvalidInput(
			'choice-unknown',
			`"${label}" in "${kind} Filters" has an unknown status: ${quote(unknown)}`,
			'Choose from the list, or return an array of status codes, such as ["3"].',
		);
	};
	const utrs = (label: string): string[] => {
		const keys = chosen('utrs', label).flatMap((text) => splitList(text, label));
		const wrong = keys.find((key) => !isUtr(key) || isId(key));
		if (wrong === undefined) return keys;
		throw new InvalidInput(
			'choice-unknown',
			`"${label}" in "${kind} Filters" accepts only UTRs, but it has ${quote(wrong)}`,
			'Choose from the list, or return an array of UTRs: the field "utr" of the records.',
		);
	};
	return {
		from: statuses('fromStatus', 'From Status'),
		to: statuses('toStatus', 'To Status'),
		only: utrs(`${kind} Names or IDs`),
	};
}

const STATISTIC_EVENTS = {
	singleSends: {
		event: 'singleSendStatisticReached',
		eventLabel: 'Campaign (Single Send) Statistic Reached',
		parameter: 'singleSendThresholds',
		label: 'Campaign Thresholds',
	},
	automations: {
		event: 'automationStatisticReached',
		eventLabel: 'Automation Statistic Reached',
		parameter: 'automationThresholds',
		label: 'Automation Thresholds',
	},
} as const;

interface ThresholdParameter {
	statistic: string;
	unit?: unknown;
	value: unknown;
	minimumMessages?: unknown;
}

const UNITS = ['count', 'percent'] as const;
/** The only one of which there can be more than emails. */
const TOTAL_OPENS = 'total_opens';
const PRESET = { unit: 'percent', minimumMessages: 0 };

/** @throws InvalidInput if there is none, or an invalid one */
function readThresholds(context: IPollFunctions, source: StatisticsSource): Threshold[] {
	const { eventLabel, parameter, label } = STATISTIC_EVENTS[source];
	const { threshold: chosen = [] } = context.getNodeParameter(parameter, {}) as {
		threshold?: ThresholdParameter[];
	};
	if (chosen.length === 0) {
		throw valueRequired(label, `Add a threshold, or remove "${eventLabel}" from "Events".`);
	}
	const statistics = statisticsOf(kindOf(source));
	const unknown = chosen.find(({ statistic }) => !statistics.includes(statistic));
	if (unknown) {
		throw new InvalidInput(
			'choice-unknown',
			`"${label}" has an unknown "Statistic": ${quote(unknown.statistic)}`,
			`Choose one of: ${statistics.join(', ')}.`,
		);
	}
	const thresholds = chosen.map((one) => {
		// If an expression returned nothing, the value is still set, and the default is not used.
		const { statistic, unit: given, value, minimumMessages } = { ...PRESET, ...one };
		const unit = UNITS.find((known) => known === given);
		if (unit === undefined) {
			throw new InvalidInput(
				'choice-unknown',
				`"${label}" has an unknown "Unit": ${quote(given)}`,
				`Choose one of: ${UNITS.join(', ')}.`,
			);
		}
		return toThreshold(source, {
			...{ statistic, unit },
			value: coerceNumber(value),
			minimumMessages: coerceNumber(minimumMessages),
		});
	});
	if (thresholds.some(({ value }) => !(value > 0))) {
		throw new InvalidInput(
			'threshold-invalid',
			`"Value" in "${label}" must be a number above 0`,
			'Correct the value. Every statistic starts at 0, so 0 would always be reached.',
		);
	}
	const isOverAll = ({ unit, value, statistic }: Threshold) =>
		unit === 'percent' && value > 100 && statistic !== TOTAL_OPENS;
	if (thresholds.some(isOverAll)) {
		throw new InvalidInput(
			'threshold-invalid',
			`"Value" in "${label}" is a percentage above 100, which is never reached`,
			'Correct the value, or set "Unit" to "Number".',
		);
	}
	if (thresholds.some(({ minimumMessages }) => !(minimumMessages >= 0))) {
		throw new InvalidInput(
			'minimum-messages-invalid',
			`"Minimum Messages" in "${label}" must be 0 or more`,
			'Correct the number, or set it to 0 to check the percentage from the first message on.',
		);
	}
	if (new Set(thresholds.map(thresholdName)).size > MAX_THRESHOLDS) {
		throw new InvalidInput(
			'too-many-thresholds',
			`"${label}" can have at most ${MAX_THRESHOLDS} thresholds`,
			'Move some of them to a second trigger node.',
		);
	}
	return thresholds;
}

/** @throws InvalidInput if the value is not an id */
function readId(context: IPollFunctions, parameter: string, label: string): number | undefined {
	const value = context.getNodeParameter(parameter, '', { extractValue: true });
	if (isEmpty(value)) return undefined;
	const id = coerceText(value).trim();
	if (isId(id)) return Number(id);
	throw new InvalidInput(
		'whole-number-expected',
		`"${label}" must be a whole number, but it is ${quote(value)}`,
		'Choose from the list, or enter an ID such as 42.',
	);
}

/** @throws InvalidInput if the value is not an id, or an expression returned nothing */
function readOptionalId(
	context: IPollFunctions,
	parameter: string,
	label: string,
): number | undefined {
	const id = readId(context, parameter, label);
	if (id !== undefined || !isExpression(rawParameter(context, parameter))) return id;
	throw emptyExpression(label, 'watch all contact types');
}

function readRequiredId(context: IPollFunctions, parameter: string, label: string): number {
	const id = readId(context, parameter, label);
	if (id !== undefined) return id;
	throw valueRequired(
		label,
		`Choose the ${label.toLowerCase()} whose new recipients start the workflow.`,
	);
}

/** @throws InvalidInput if there is none, or one that does not exist */
function readEvents(context: IPollFunctions): Set<EventName> {
	const names = entriesOf(context.getNodeParameter('events', []));
	const unknown = names.find((name) => !isEmpty(name) && !EVENT_NAMES.includes(name as EventName));
	if (unknown !== undefined) {
		throw new InvalidInput(
			'choice-unknown',
			`"Events" has an unknown event: ${quote(unknown)}`,
			'Choose from the list, or return an array of names, such as ["singleSendStatusChanged"].',
		);
	}
	const events = new Set(EVENT_NAMES.filter((name) => names.includes(name)));
	if (events.size > Number(events.has(HEARTBEAT))) return events;
	throw valueRequired(
		'Events',
		'Choose at least one event besides "Heartbeat", which reports on the others.',
	);
}

const HOUR_MS = 60 * 60_000;

/**
 * @returns milliseconds
 * @throws InvalidInput for less than an hour, or no number
 */
const readHours = (context: IPollFunctions, path: string, label: string, preset?: number) =>
	numberOf(context.getNodeParameter(path, preset), label, 1) * HOUR_MS;

/** How long a list may be unreadable before a poll fails, in milliseconds. */
export const readUnreadableMs = (context: IPollFunctions) =>
	readHours(context, 'options.unreadableHours', 'Max Unreadable Time (Hours)', 6);

/** @throws InvalidInput if a choice is missing or invalid */
export function readWatch(context: IPollFunctions): Watch {
	const events = readEvents(context);
	// Reading a locator that is not shown is an error in n8n.
	const when = <T>(event: EventName, read: () => T) => (events.has(event) ? read() : undefined);
	const readContactType = () => readOptionalId(context, 'contactTypeId', 'Contact Type (List)');
	const thresholdsOf = (source: StatisticsSource) =>
		when(STATISTIC_EVENTS[source].event, () => readThresholds(context, source)) ?? [];
	const option = (name: string, label: string) =>
		isOn(context.getNodeParameter(`options.${name}`, false), label);
	const ages = when('statisticsSnapshot', () => readAges(context)) ?? {
		ages: [],
		sentAt: () => undefined,
	};
	return {
		events,
		...ages,
		singleSends: readFilter(context, 'singleSendFilters', 'Campaign'),
		automations: readFilter(context, 'automationFilters', 'Automation'),
		thresholds: {
			singleSends: thresholdsOf('singleSends'),
			automations: thresholdsOf('automations'),
		},
		contactTypeId: when('contactAdded', readContactType) ?? when('contactUpdated', readContactType),
		groupId: when('unsubscribeGroupRecipientAdded', () =>
			readRequiredId(context, 'unsubscribeGroupId', 'Unsubscribe Group'),
		),
		segmentId: when('segmentRecipientAdded', () => readRequiredId(context, 'segmentId', 'Segment')),
		heartbeatMs: when(HEARTBEAT, () =>
			readHours(context, 'heartbeatHours', 'Heartbeat Every (Hours)'),
		),
		emitExisting: option('emitExisting', 'Emit Existing Records'),
		includeTestSends: option('includeTestSends', 'Include Test Sends'),
	};
}
