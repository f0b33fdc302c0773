import type { IDataObject } from 'n8n-workflow';

import { GROUP, LEFT, operations, person, useConsent } from './support';

const given = useConsent({ emptyLists: 'success' });
const names = Object.keys(operations) as Array<keyof typeof operations>;
const once = { retryTemporaryFailures: false };

async function run(name: keyof typeof operations, options: IDataObject = {}) {
	const { account } = given;
	const { id } = account.add('ada@example.com');
	const { error } = await account.run({ ...operations[name], options: { ...once, ...options } }, [
		person('new@example.com', { id }),
		person('other@example.com', { id }),
	]);
	expect(account.writes()).toEqual([]);
	return error;
}

test.each(names)('unreadable-list: %s writes nothing, and says how to do without', async (name) => {
	const match = { path: '/global-unsubscribes' };
	given.account.state.faults.add({ kind: 'html', match, times: 9 });
	const error = await run(name);
	expect(error?.message).toContain('web page');
	expect(error?.description).toContain(
		'The list of unsubscribes could not be read (Global Unsubscribes), so no address that needs this check was written. To write without this check, turn off "Respect Global Unsubscribes" in Options.',
	);
});

test.each(names)(
	'unreadable-list: %s writes nothing for any item on the error output',
	async (name) => {
		const { account } = given;
		const match = { path: '/global-unsubscribes' };
		account.state.faults.add({ kind: 'html', match, times: 9 });
		const { id } = account.add('ada@example.com');
		const { items } = await account.run(
			{ ...operations[name], options: once },
			[person(LEFT, { id }), person('new@example.com', { id })],
			{ onError: 'continueErrorOutput' },
		);
		expect(items).toEqual([]);
		expect(account.writes()).toEqual([]);
	},
);

test.each(names)('deleted-group: %s writes nothing while a chosen group is gone', async (name) => {
	const error = await run(name, { unsubscribeGroups: [GROUP, 99] });
	expect(error?.description).toContain(
		'The list of unsubscribes could not be read (Unsubscribe Group 99), so no address that needs this check was written. To write without this check, remove the group from "Respect Unsubscribe Group Names or IDs" in Options.',
	);
});

test.each(names)('broken-entry: %s writes nothing if an entry could be anybody', async (name) => {
	given.account.unsubscribe('');
	const error = await run(name);
	expect(error?.message).toContain(
		'The service lists an entry without an address under Global Unsubscribes',
	);
});

test.each(names)('a group that is no ID is refused before anything is read: %s', async (name) => {
	const error = await run(name, { unsubscribeGroups: ['Offers'] });
	expect(error?.message).toContain(
		'"Respect Unsubscribe Group Names or IDs" accepts only IDs, but it has "Offers"',
	);
	expect(given.account.reads()).toEqual([]);
});

test.each(names)(
	'groups-empty: groups from an expression that returns nothing are refused: %s',
	async (name) => {
		const error = await run(name, { unsubscribeGroups: '={{ $json.groups }}' });
		expect(error?.message).toContain('"Respect Unsubscribe Group Names or IDs" is empty');
		expect(given.account.reads()).toEqual([]);
	},
);

test.each([
	'={{ [$json.none] }}',
	'={{ ["51", $json.none] }}',
	'={{ $json.none }},51',
	'={{ [51, , 52] }}',
])(
	'groups-empty: a group that an expression did not return is refused: %s',
	async (unsubscribeGroups) => {
		for (const name of names) {
			const error = await run(name, { unsubscribeGroups });
			expect(error?.message).toContain(
				'"Respect Unsubscribe Group Names or IDs" accepts only IDs, but it has ""',
			);
		}
		expect(given.account.reads()).toEqual([]);
	},
);

test('a group that is chosen twice is read once', async () => {
	const { account } = given;
	Object.assign(account.state.settings, { emptyParents: 'success' });
	const options = { unsubscribeGroups: `${GROUP}, ${GROUP}`, globalUnsubscribes: false };
	await account.run({ ...operations.syncRecipients, options }, [person(LEFT)]);
	const recipients = '/segment/email/list';
	const group = '/unsubscribes-groups/recipients-list';
	expect(account.reads()).toEqual([recipients, group, recipients]);
});

describe.each([
	['Segment: Add or Sync Recipients', operations.syncRecipients],
	['Contact: Create or Update', {}],
])('%s, which looks at all items at once,', (_name, operation) => {
	test.each<[string, IDataObject]>([
		[
			'"Respect Global Unsubscribes" is true for item 1, but false for item 0',
			{ globalUnsubscribes: '={{ $json.checked }}' },
		],
		[
			'"Respect Unsubscribe Group Names or IDs" is [51] for item 1, but [] for item 0',
			{ unsubscribeGroups: '={{ $json.groups }}' },
		],
	])('options-differ: %s', async (message, options) => {
		const { account } = given;
		const { error } = await account.run({ ...operation, options }, [
			person('new@example.com', { checked: false, groups: [] }),
			person(LEFT, { checked: true, groups: [GROUP] }),
		]);
		expect(error?.message).toBe(message);
		expect(account.reads()).toEqual([]);
		expect(account.writes()).toEqual([]);
	});

	test('accepts an expression that is the same for all items', async () => {
		const { account } = given;
		const options = {
			globalUnsubscribes: '={{ $json.checked }}',
			unsubscribeGroups: '={{ [51] }}',
		};
		const items = [LEFT, 'new@example.com'].map((email) => person(email, { checked: true }));
		const { error } = await account.run({ ...operation, options }, items);
		expect(error).toBeUndefined();
		expect(account.writes()).toHaveLength(1);
	});
});
