import { itemOf, minute, type Actor, type Surroundings } from './actor.ts';
import { fromItem, node } from './node.ts';

/** Person: Erase, of people whom the sync may have, and who may stay in the other system. */
export const erasuresActor = (
	retryOnFail: boolean,
	{ world, service, random }: Surroundings,
): Actor => ({
	...{ name: 'erasures', everyMs: 17 * minute, retryOnFail, runsOn: false },
	requests: [
		...['POST /global-unsubscribes/save', 'DELETE /contacts/delete', 'GET /unsubscribes-groups'],
		...['DELETE /segment/email/delete', 'DELETE /unsubscribes-groups/recipients-delete'],
	],
	begin: () => {
		const chosen = Array.from({ length: random.whole(1, 2) }, () => random.pick(world.known));
		const emails = [...new Set(chosen)];
		const parameters = {
			...{ resource: 'person', operation: 'erase', dryRun: false, options: {} },
			person: { __rl: true, mode: 'email', value: fromItem('email') },
		};
		const onError = random.pick(['stopWorkflow', 'continueErrorOutput'] as const);
		return {
			nodes: [node('Erase', parameters, { onError })],
			items: emails.map((email) => itemOf({ email })),
			look: () => service.recordsOf(emails),
		};
	},
});
