import type { RecordName } from '../records/records';

/** Lists whose records have statistics. */
export type StatisticsSource = 'singleSends' | 'automations';

/** Lists whose polls are compared record by record. */
export type SnapshotSource = StatisticsSource | 'senders';

/** Lists that are watched by a high-water mark; each group and each segment has a list of its own. */
export type WatermarkSource =
	'contacts' | 'globalUnsubscribes' | `group:${number}` | `segment:${number}`;

export type SourceName = SnapshotSource | WatermarkSource;

/** The lists of the service. Each group and each segment has its own. */
export type ListName = SnapshotSource | 'contacts' | 'globalUnsubscribes' | 'group' | 'segment';

const KINDS = {
	singleSends: 'singleSend',
	automations: 'automation',
	senders: 'sender',
	contacts: 'contact',
	globalUnsubscribes: 'globalUnsubscribe',
	group: 'unsubscribeGroupRecipient',
	segment: 'segmentRecipient',
} as const satisfies Record<ListName, RecordName>;

/** The kind of the records on a list. */
export const kindOf = <List extends ListName>(list: List) => KINDS[list];

/** The events, and the list that each is read from. */
const LIST_OF_EVENT = {
	singleSendStatusChanged: 'singleSends',
	singleSendCompleted: 'singleSends',
	singleSendCreated: 'singleSends',
	singleSendDeleted: 'singleSends',
	singleSendStatisticReached: 'singleSends',
	automationStatusChanged: 'automations',
	automationCreated: 'automations',
	automationDeleted: 'automations',
	automationStatisticReached: 'automations',
	contactAdded: 'contacts',
	contactUpdated: 'contacts',
	globalUnsubscribeAdded: 'globalUnsubscribes',
	unsubscribeGroupRecipientAdded: 'group',
	segmentRecipientAdded: 'segment',
	senderVerified: 'senders',
	statisticsSnapshot: 'singleSends',
} as const satisfies Record<string, ListName>;

/** An event of a record in a list. */
export type ListEvent = keyof typeof LIST_OF_EVENT;

/** The event that shows that the trigger still polls. */
export const HEARTBEAT = 'heartbeat';

export type EventName = ListEvent | typeof HEARTBEAT;

export const LIST_EVENTS = Object.keys(LIST_OF_EVENT) as ListEvent[];

export const EVENT_NAMES: EventName[] = [...LIST_EVENTS, HEARTBEAT];

export const listOfEvent = (event: ListEvent): ListName => LIST_OF_EVENT[event];

/** The event in words, such as `Campaign Completed` for `singleSendCompleted`. */
export const labelOfEvent = (event: EventName): string =>
	event
		.replace(/[A-Z]/g, ' $&')
		.replace(/^./, (first) => first.toUpperCase())
		.replace('Single Send', 'Campaign');

/** The choices of the user that decide which lists to read. */
interface Choice {
	events: ReadonlySet<EventName>;
	groupId?: number;
	segmentId?: number;
}

export function sourceOf(event: ListEvent, { groupId = 0, segmentId = 0 }: Choice): SourceName {
	const list = LIST_OF_EVENT[event];
	if (list === 'group') return `group:${groupId}`;
	return list === 'segment' ? `segment:${segmentId}` : list;
}

/** The list of a source, or its kind of list. */
export const listOf = (source: SourceName) => source.split(':')[0] as ListName;

export const sourcesOf = (choice: Choice): SourceName[] => [
	...new Set(
		LIST_EVENTS.filter((name) => choice.events.has(name)).map((name) => sourceOf(name, choice)),
	),
];
