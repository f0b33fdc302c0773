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

export type EventName = keyof typeof LIST_OF_EVENT;

export const EVENT_NAMES = Object.keys(LIST_OF_EVENT) as EventName[];

export const listOfEvent = (event: EventName): ListName => LIST_OF_EVENT[event];

/** What the user chose in the node, as far as it says which lists to read. */
interface Choice {
	events: ReadonlySet<EventName>;
	groupId?: number;
	segmentId?: number;
}

export function sourceOf(event: EventName, { groupId = 0, segmentId = 0 }: Choice): SourceName {
	const list = LIST_OF_EVENT[event];
	if (list === 'group') return `group:${groupId}`;
	return list === 'segment' ? `segment:${segmentId}` : list;
}

/** The list that a source is, or is one of. */
export const listOf = (source: SourceName) => source.split(':')[0] as ListName;

export const sourcesOf = (choice: Choice): SourceName[] => [
	...new Set(
		EVENT_NAMES.filter((name) => choice.events.has(name)).map((name) => sourceOf(name, choice)),
	),
];
