import { deleteMany, endpoint, unknownReferences, update, type Context } from '../endpoint.ts';
import { listOf, ordered } from '../lists.ts';
import type { Unsubscriber } from '../model.ts';
import { emails, flag, integer, integers, text } from '../params.ts';
import { invalid, notFound, success, type Reply } from '../replies.ts';
import type { Table } from '../store.ts';

const groupFields = { group_name: text(), description: text(), is_display: flag };

function addAddresses(
	{ clock, settings }: Context,
	table: Table<Unsubscriber>,
	addresses: string[],
	group: number | null,
): Reply {
	if (settings.duplicateEmail === 'refuse') {
		const listed = new Set(
			table
				.all()
				.filter((row) => row.unsubscribe_groups_id === group)
				.map((row) => row.email_address.toLowerCase()),
		);
		const fresh = new Set(addresses.map((address) => address.toLowerCase()));
		if (fresh.size < addresses.length || [...fresh].some((address) => listed.has(address))) {
			return invalid({ email_address: ['The email address has already been taken.'] });
		}
	}
	for (const email_address of addresses) {
		table.add({ email_address, unsubscribe_groups_id: group }, clock.now());
	}
	return success('Added Successfully');
}

function deleteOne(table: Table<Unsubscriber>, id: number): Reply {
	if (!table.get(id)) return notFound('Record Not Found');
	table.remove(id);
	return success('Deleted Successfully');
}

function deleteSome({ settings }: Context, table: Table<Unsubscriber>, ids: number[]): Reply {
	const rows = ids.map((id) => table.get(id));
	const failure = deleteMany(rows, settings, 'Record Not Found', (row) => table.remove(row.id));
	return failure ?? success('Deleted Successfully');
}

/** The rows of #1, the newest first. */
function listed({ tables, settings }: Context): object[] {
	const rows = tables.globalUnsubscribes.all().reverse();
	if (settings.groupEntries === 'apart') return rows;
	const asText = settings.groupEntries === 'text';
	const ofGroups = tables.groupRecipients.all().reverse();
	const shown = ofGroups.map((row) =>
		asText ? { ...row, unsubscribe_groups_id: String(row.unsubscribe_groups_id) } : row,
	);
	return [...shown, ...rows];
}

export const globalUnsubscribes = [
	endpoint({
		number: '1',
		method: 'GET',
		path: '/global-unsubscribes',
		run: (_input, context) => listOf('unSubscribers', listed(context)),
	}),
	endpoint({
		number: '2',
		method: 'POST',
		path: '/global-unsubscribes/save',
		body: { email_address: emails },
		run: ({ email_address }, context) =>
			addAddresses(context, context.tables.globalUnsubscribes, email_address, null),
	}),
	endpoint({
		number: '3',
		method: 'DELETE',
		path: '/global-unsubscribes/delete',
		query: { id: integer },
		run: ({ id }, { tables }) => deleteOne(tables.globalUnsubscribes, id),
	}),
	endpoint({
		number: '4',
		method: 'POST',
		path: '/global-unsubscribes/bulk-delete',
		body: { strIds: integers },
		urlencoded: true,
		run: ({ strIds }, context) => deleteSome(context, context.tables.globalUnsubscribes, strIds),
	}),
];

export const unsubscribeGroups = [
	endpoint({
		number: '5',
		method: 'GET',
		path: '/unsubscribes-groups',
		run: (_input, { tables, settings }) => {
			const counts = new Map<number | null, number>();
			for (const { unsubscribe_groups_id: group } of tables.groupRecipients.values()) {
				counts.set(group, (counts.get(group) ?? 0) + 1);
			}
			const groups = ordered(tables.unsubscribeGroups, settings).map((group) => ({
				...group,
				unsubscribe_clients_count: counts.get(group.id) ?? 0,
			}));
			return success({ unsubscribesGroups: groups });
		},
	}),
	endpoint({
		number: '6',
		method: 'POST',
		path: '/unsubscribes-groups/save',
		body: groupFields,
		run: (fields, { tables, clock }) => {
			tables.unsubscribeGroups.add(fields, clock.now());
			return success('Saved Successfully');
		},
	}),
	endpoint({
		number: '7',
		method: 'GET',
		path: '/unsubscribes-groups/details',
		query: { id: integer },
		run: ({ id }, { tables }) => {
			const group = tables.unsubscribeGroups.get(id);
			return group ? success({ unsubscribesGroup: group }) : notFound('Record Not Found');
		},
	}),
	endpoint({
		number: '8',
		method: 'POST',
		path: '/unsubscribes-groups/update',
		query: { id: integer },
		body: groupFields,
		run: ({ id, ...fields }, { tables, clock }) => {
			const group = tables.unsubscribeGroups.get(id);
			if (!group) return notFound('Record Not Found');
			update(tables.unsubscribeGroups, group, fields, clock.now());
			return success('Updated Successfully');
		},
	}),
	endpoint({
		number: '9',
		method: 'POST',
		path: '/unsubscribes-groups/manually-add',
		body: { unsubscribe_groups_id: integer, email_address: emails },
		run: ({ unsubscribe_groups_id, email_address }, context) => {
			const { unsubscribeGroups: groups, groupRecipients } = context.tables;
			return (
				unknownReferences({ unsubscribe_groups_id: !!groups.get(unsubscribe_groups_id) }) ??
				addAddresses(context, groupRecipients, email_address, unsubscribe_groups_id)
			);
		},
	}),
	endpoint({
		number: '10',
		method: 'GET',
		path: '/unsubscribes-groups/recipients-list',
		query: { groupId: integer },
		run: ({ groupId }, { tables, settings }) => {
			if (!tables.unsubscribeGroups.get(groupId)) return notFound('Record Not Found');
			const rows = ordered(tables.groupRecipients, settings);
			return listOf(
				'recipients',
				rows.filter((row) => row.unsubscribe_groups_id === groupId),
			);
		},
	}),
	endpoint({
		number: '11',
		method: 'DELETE',
		path: '/unsubscribes-groups/recipients-delete',
		query: { id: integer },
		run: ({ id }, { tables }) => deleteOne(tables.groupRecipients, id),
	}),
	endpoint({
		number: '12',
		method: 'POST',
		path: '/unsubscribes-groups/recipients-bulk-delete',
		body: { strIds: integers },
		urlencoded: true,
		run: ({ strIds }, context) => deleteSome(context, context.tables.groupRecipients, strIds),
	}),
];
