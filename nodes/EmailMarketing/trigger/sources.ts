/** Lists whose polls are compared record by record. */
export type SnapshotSource = 'singleSends' | 'automations' | 'senders';

/** Lists that are watched by a high-water mark; each group and each segment has a list of its own. */
export type WatermarkSource =
	'contacts' | 'globalUnsubscribes' | `group:${number}` | `segment:${number}`;

export type SourceName = SnapshotSource | WatermarkSource;

/** The lists of the service; of groups and of segments, each has one. */
export type ListName = SnapshotSource | 'contacts' | 'globalUnsubscribes' | 'group' | 'segment';

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

/** The event that says that the trigger polls. */
export const HEARTBEAT = 'watchIsAlive';

export type EventName = ListEvent | typeof HEARTBEAT;

export const LIST_EVENTS = Object.keys(LIST_OF_EVENT) as ListEvent[];

export const EVENT_NAMES: EventName[] = [...LIST_EVENTS, HEARTBEAT];

export const listOfEvent = (event: ListEvent): ListName => LIST_OF_EVENT[event];

/** What the user chose in the node, as far as it says which lists to read. */
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

/** The list that a source is, or is one of. */
export const listOf = (source: SourceName) => source.split(':')[0] as ListName;

export const sourcesOf = (choice: Choice): SourceName[] => [
	...new Set(
		LIST_EVENTS.filter((name) => choice.events.has(name)).map((name) => sourceOf(name, choice)),
	),
];
