import { NodeOperationError } from 'n8n-workflow';
import type { IPollFunctions } from 'n8n-workflow';

import { EVENT_NAMES } from './state';
import { MOST_THRESHOLDS, thresholdName } from './thresholds';
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
	const wrong = (message: string, description: string) =>
		new NodeOperationError(context.getNode(), message, { description });
	if (threshold.length === 0) {
		throw wrong(
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
		throw wrong(
			'A threshold has to be a number above 0',
			'Correct its Value under Thresholds: every single send has 0 from the start.',
		);
	}
	if (new Set(thresholds.map(thresholdName)).size > MOST_THRESHOLDS) {
		throw wrong(
			`There are more than ${MOST_THRESHOLDS} thresholds`,
			'Spread them over two trigger nodes.',
		);
	}
	return thresholds;
}

function readId(context: IPollFunctions, parameter: string, what: string): number {
	const value = context.getNodeParameter(parameter, '', { extractValue: true });
	const id = Number(value);
	if (Number.isInteger(id) && id > 0) return id;
	throw new NodeOperationError(context.getNode(), `No ${what} is chosen`, {
		description: `Choose the ${what} whose new recipients start the workflow.`,
	});
}

/**
 * What the user chose in the node.
 *
 * @throws NodeOperationError where a choice is missing or makes no sense
 */
export function readWatch(context: IPollFunctions): Watch {
	const chosen = context.getNodeParameter('events', []) as EventName[];
	const events = new Set(EVENT_NAMES.filter((name) => chosen.includes(name)));
	if (events.size === 0) {
		throw new NodeOperationError(context.getNode(), 'No event is chosen', {
			description: 'Choose at least one under Events.',
		});
	}
	const contactTypeId = Number(
		context.getNodeParameter('contactTypeId', '', { extractValue: true }),
	);
	return {
		events,
		singleSends: toFilter(context.getNodeParameter('singleSendFilters', {}) as FilterParameter),
		automations: toFilter(context.getNodeParameter('automationFilters', {}) as FilterParameter),
		thresholds: events.has('singleSendStatisticReached') ? readThresholds(context) : [],
		...(contactTypeId > 0 ? { contactTypeId } : {}),
		...(events.has('unsubscribeGroupRecipientAdded')
			? { groupId: readId(context, 'unsubscribeGroupId', 'unsubscribe group') }
			: {}),
		...(events.has('segmentRecipientAdded')
			? { segmentId: readId(context, 'segmentId', 'segment') }
			: {}),
		emitExisting: context.getNodeParameter('options.emitExisting', false) === true,
	};
}
