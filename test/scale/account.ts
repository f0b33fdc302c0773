import type { Contact } from '../../sandbox/model.ts';
import type { SandboxClient } from '../../scripts/lib/sandbox-client.ts';
import { doubled } from './consent.ts';
import { summary } from './setup/summary.ts';
import { GERMANY, TYPE } from './sync.ts';

type Item = Record<string, unknown>;

/** What the service should have of a person after a sync of this item. */
const shown = (item: Item, type: number): string =>
	JSON.stringify([type, item['E-Mail'], item['First Name'] ?? '', item.City ?? '', GERMANY]);

const held = ({ contact_type_id, email, first_name, city, country }: Contact): string =>
	JSON.stringify([contact_type_id, email, first_name, city, country]);

/** The first of many, for messages that somebody reads. */
const some = (list: string[]) => list.slice(0, 20);

/**
 * Holds the contacts of the service against what it was asked to have, to the last one, and notes the
 * result for the summary.
 *
 * @param asked the items that were synced, by contact type
 */
export async function reconcile(
	sandbox: SandboxClient,
	asked: ReadonlyMap<number, Item[]> | Item[],
): Promise<void> {
	const byType = asked instanceof Map ? asked : new Map([[TYPE, asked as Item[]]]);
	const wanted = new Set<string>();
	for (const [type, items] of byType) for (const item of items) wanted.add(shown(item, type));
	const contacts = (await sandbox.records('contacts')).map(held);
	const there = new Set(contacts);
	const account = {
		lost: some([...wanted].filter((one) => !there.has(one))),
		notAskedFor: some(contacts.filter((one) => !wanted.has(one))),
		doubled: some(await doubled(sandbox)),
		violations: await sandbox.violations(),
	};
	summary().reconciled(expect.getState().currentTestName ?? '', {
		contacts: contacts.length,
		lost: account.lost.length,
		'not asked for': account.notAskedFor.length,
		doubled: account.doubled.length,
		violations: account.violations.length,
	});
	expect(account).toEqual({ lost: [], notAskedFor: [], doubled: [], violations: [] });
}
