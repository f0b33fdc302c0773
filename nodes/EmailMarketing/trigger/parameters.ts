import { NodeOperationError } from 'n8n-workflow';
import type { IPollFunctions } from 'n8n-workflow';

import { EVENT_NAMES } from './state';
import { MAX_THRESHOLDS, thresholdName } from './thresholds';
import type { EventName, StatusFilter, Threshold, Watch } from './types';

interface FilterParameter {
	fromStatus?: string[];
	toStatus?: string[];
	utrs?: string[];
}

const toFilter = ({ fromStatus, toStatus, utrs }: FilterParameter): StatusFilter => ({
	from: fromStatus ?? [],
	to: toStatus ?? [],
	only: utrs ?? [],
});

function readThresholds(context: IPollFunctions): Threshold[] {
	const { threshold = [] } = context.getNodeParameter('thresholds', {}) as {
		threshold?: Threshold[];
	};
	const invalid = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { description });
	if (threshold.length === 0) {
		throw invalid(
			'No threshold is set for "Single Send Statistic Reached"',
			'Add at least one under Thresholds, or take the event out of Events.',
		);
	}
	const thresholds = threshold.map(({ statistic, unit, value, minimumDelivered }) => ({
		statistic,
		unit,
		value: Number(value),
		minimumDelivered: unit === 'percent' ? Number(minimumDelivered ?? 0) : 0,
	}));
	if (thresholds.some(({ value }) => !(value > 0))) {
		throw invalid(
			'A threshold has to be a number above 0',
			'Correct its Value under Thresholds: every single send has 0 from the start.',
		);
	}
	if (new Set(thresholds.map(thresholdName)).size > MAX_THRESHOLDS) {
		throw invalid(
			`There are more than ${MAX_THRESHOLDS} thresholds`,
			'Spread them over two trigger nodes.',
		);
	}
	return thresholds;
}

function readId(context: IPollFunctions, parameter: string): number | undefined {
	const id = Number(context.getNodeParameter(parameter, '', { extractValue: true }));
	return Number.isInteger(id) && id > 0 ? id : undefined;
}

function readRequiredId(context: IPollFunctions, parameter: string, what: string): number {
	const id = readId(context, parameter);
	if (id !== undefined) return id;
	throw new NodeOperationError(context.getNode(), `No ${what} is chosen`, {
		description: `Choose the ${what} whose new recipients start the workflow.`,
	});
}

/** @throws NodeOperationError where a choice is missing or makes no sense */
export function readWatch(context: IPollFunctions): Watch {
	const chosen = context.getNodeParameter('events', []) as EventName[];
	const events = new Set(EVENT_NAMES.filter((name) => chosen.includes(name)));
	if (events.size === 0) {
		throw new NodeOperationError(context.getNode(), 'No event is chosen', {
			description: 'Choose at least one under Events.',
		});
	}
	// A locator that is not shown must not be read: n8n treats that as an error.
	const when = <T>(event: EventName, read: () => T) => (events.has(event) ? read() : undefined);
	const readContactType = () => readId(context, 'contactTypeId');
	return {
		events,
		singleSends: toFilter(context.getNodeParameter('singleSendFilters', {}) as FilterParameter),
		automations: toFilter(context.getNodeParameter('automationFilters', {}) as FilterParameter),
		thresholds: when('singleSendStatisticReached', () => readThresholds(context)) ?? [],
		contactTypeId: when('contactAdded', readContactType) ?? when('contactUpdated', readContactType),
		groupId: when('unsubscribeGroupRecipientAdded', () =>
			readRequiredId(context, 'unsubscribeGroupId', 'unsubscribe group'),
		),
		segmentId: when('segmentRecipientAdded', () => readRequiredId(context, 'segmentId', 'segment')),
		emitExisting: context.getNodeParameter('options.emitExisting', false) === true,
	};
}
