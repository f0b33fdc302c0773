import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { Settings } from '../../../sandbox/settings.ts';
import { useAccount } from '../contacts/support';

export const SEGMENT = 301;
export const GROUP = 51;
/** When everybody of these tests unsubscribed. */
export const unsubscribedAt = '2026-03-02T10:00:00.000000Z';
export const LEFT = 'left@example.com';

/** What is returned in place of a row that was held back. */
export const skippedRow = (email: string, unsubscribedFrom = 'Global Unsubscribes') => ({
	action: 'skipped',
	email,
	reason: 'unsubscribed',
	unsubscribedAt,
	unsubscribedFrom,
});

const chosen = (value: number) => ({ __rl: true, mode: 'id', value: String(value) });
const automatic = { mappingMode: 'autoMapInputData', value: null };
const fromItem = {
	email: '={{ $json.email }}',
	firstName: '={{ $json.first_name }}',
	lastName: '={{ $json.last_name }}',
};

/** The operations that put somebody on a list, for items with the keys of `person`. */
export const operations = {
	create: { operation: 'create', fields: automatic },
	update: { operation: 'update', contactId: '={{ $json.id }}', fields: automatic },
	addRecipient: {
		resource: 'segment',
		operation: 'addRecipient',
		segmentId: chosen(SEGMENT),
		...fromItem,
	},
	syncRecipients: {
		resource: 'segment',
		operation: 'syncRecipients',
		segmentId: chosen(SEGMENT),
		fields: automatic,
		missing: 'ignore',
	},
} satisfies Record<string, IDataObject>;

export const person = (email: string, rest: IDataObject = {}): IDataObject => ({
	email,
	country: '85',
	first_name: 'Ada',
	last_name: 'Okafor',
	...rest,
});

const hmac = (text: string) => createHmac('sha256', 'my key').update(text).digest('hex');

/** As others can make it: the fingerprint of the key, and the hash of the address in lower case. */
export const tombstoneOf = (address: string): string => `${hmac('').slice(0, 8)}-${hmac(address)}`;

export const neverAdd = (entries: unknown, tombstoneKey = 'my key') => ({
	neverAdd: { list: { entries, tombstoneKey } as IDataObject },
});

/** A list of addresses, some of which are known by their tombstones only. */
export const neverAddArray = (people: ReadonlyArray<{ email: string; isErased: boolean }>) => {
	const entries = people.map(({ email, isErased }) =>
		isErased ? tombstoneOf(email.trim().toLowerCase()) : email,
	);
	return neverAdd(`={{ ${JSON.stringify(entries)} }}`);
};

/** An account with a segment, an unsubscribe group, and somebody who left. */
export function useConsent(relied: Partial<Settings> = {}): ReturnType<typeof useAccount> {
	const given = useAccount(relied);
	beforeEach(() => {
		const { tables } = given.account.state;
		tables.segments.add({ id: SEGMENT, segment_name: 'VIP' }, 0);
		tables.unsubscribeGroups.add({ id: GROUP, group_name: 'Offers' }, 0);
		given.account.unsubscribe(LEFT);
	});
	return given;
}
