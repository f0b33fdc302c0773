import { type Service, isPresent, text, type Row } from './service.ts';

/** In the name, or the address, of everything that is created. */
export const prefix = 'n8n-acceptance-';

/** The same where a name has no hyphens, as those of custom fields (33). */
export const fieldPrefix = prefix.replaceAll('-', '_');

interface OwnKind {
	path: string;
	name: string;
	remove: string;
	parameter: string;
	key: 'id' | 'utr';
}

/** Everything that can be deleted, what depends on others first. */
const kinds: OwnKind[] = [
	{
		path: '/automations',
		name: 'automation_name',
		remove: '/automations/delete',
		parameter: 'utr',
		key: 'utr',
	},
	{
		path: '/notification-recipients',
		name: 'email_address',
		remove: '/notification-recipient/delete',
		parameter: 'id',
		key: 'id',
	},
	{
		path: '/global-unsubscribes',
		name: 'email_address',
		remove: '/global-unsubscribes/delete',
		parameter: 'id',
		key: 'id',
	},
	{
		path: '/single-send/list',
		name: 'single_send_name',
		remove: '/single/send/delete',
		parameter: 'utr',
		key: 'utr',
	},
	{
		path: '/contacts/list',
		name: 'email',
		remove: '/contacts/delete',
		parameter: 'contact_id',
		key: 'id',
	},
	{
		path: '/contacts-type',
		name: 'name',
		remove: '/contacts-type/delete',
		parameter: 'contact_type_id',
		key: 'id',
	},
	{
		path: '/custom-fields',
		name: 'field_name',
		remove: '/custom-fields/delete',
		parameter: 'id',
		key: 'id',
	},
	{
		path: '/senders',
		name: 'nickname',
		remove: '/sender/delete',
		parameter: 'sender_id',
		key: 'id',
	},
];

/** Records of ours in a list. */
export async function ownRecords(service: Service, path: string, name: string): Promise<Row[]> {
	let rows = await service.list(path);
	// Of the senders (51), the reference names two methods.
	if (path === '/senders' && rows.length === 0) rows = await service.list(path, {}, 'POST');
	const isOwn = (value: string) => value.includes(prefix) || value.includes(fieldPrefix);
	return rows.filter((row) => isOwn(text(row[name])) && isPresent(row));
}

/** Deletes every record of ours, also those of earlier runs. @returns what is still there */
export async function cleanUp(service: Service): Promise<string[]> {
	const left: string[] = [];
	for (const group of await ownRecords(service, '/unsubscribes-groups', 'group_name')) {
		const query = { groupId: text(group.id) };
		for (const entry of await service.list('/unsubscribes-groups/recipients-list', query)) {
			await service.send('DELETE', '/unsubscribes-groups/recipients-delete', {
				query: { id: text(entry.id) },
			});
		}
		left.push(`unsubscribe group "${text(group.group_name)}", which the API cannot delete`);
	}
	for (const { path, name, remove, parameter, key } of kinds) {
		for (const row of await ownRecords(service, path, name)) {
			await service.send('DELETE', remove, { query: { [parameter]: text(row[key]) } });
		}
		const others = await ownRecords(service, path, name);
		left.push(...others.map((row) => `${path} ${text(row[name])}`));
	}
	return left;
}
