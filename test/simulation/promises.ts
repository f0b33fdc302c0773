import { COMPARED } from '../histories/contacts.ts';
import type { KeptList, Promises } from '../histories/evidence.ts';
import { EVENTS, recipientList, THRESHOLD, type ActorChoice } from './actors/index.ts';
import { GROUP, LEFT_GROUP, OTHER_TYPE, RECIPIENT_GROUP, TEST_TYPE, TYPE } from './world.ts';

/** What the workflows of a simulation promise. */
export function promisesOf(choice: ActorChoice, csvDelayMs: number): Promises {
	const { sync, recipients, others, retriesOnFail: isRetried } = choice;
	const { resource, ...removal } = recipients;
	const isSegment = resource === 'segment';
	const lists: KeptList[] = [
		{
			...{ workflow: 'sync', list: `contacts ${TYPE}`, leftList: `group ${LEFT_GROUP}` },
			...{ removal: sync, compares: COMPARED, isRetried },
			contacts: { ...sync, type: TYPE },
		},
		{
			...{ workflow: 'recipients', list: recipientList(resource) },
			// Whoever unsubscribed in the service stays on an unsubscribe list.
			removal: isSegment ? removal : { ...removal, onlyAddedBySync: true },
			compares: isSegment ? ['first_name'] : [],
			isRetried,
		},
	];
	const moves = sync.missing === 'moveToContactType';
	return {
		lists: lists.filter(({ workflow }) => workflow === 'sync' || others.includes(workflow)),
		triggers: [{ events: EVENTS, threshold: THRESHOLD, group: GROUP, gaps: [] }],
		suppressing: ['global', `group ${GROUP}`],
		keepingOff: ['', 'global', `group ${RECIPIENT_GROUP}`],
		untouched: moves ? [] : [`contacts ${OTHER_TYPE}`],
		testList: `contacts_${TEST_TYPE}`,
		csvDelayMs,
		longestMs: 60 * 60_000,
	};
}
