import { endpoints } from '../../../sandbox/endpoints/index.ts';
import { ownRecords, prefix } from './ownRecords.ts';
import { type Service, text } from './service.ts';

/** Writes that need something of somebody else: a segment, which the API cannot create, or a live automation. */
export const untried = ['28', '29', '30', '48', '49'];

/** GET requests that change something. */
const writesByGet = new Set(['39', '46', '48', '49', '56']);

/** The writes that never succeeded, such as `POST /sender/save (52)`, except those that are not tried. */
export function failedWrites(service: Service): string[] {
	return endpoints
		.filter(({ number, methods }) => writesByGet.has(number) || !methods.includes('GET'))
		.filter(({ number, path }) => !untried.includes(number) && !service.succeeded.has(path))
		.map(({ number, methods, path }) => `${methods[0]} ${path} (${number})`);
}

/** Records of ours that the round trip depends on. */
interface Own {
	typeId: string;
	/** A contact type without contacts. */
	emptyTypeId: string;
	groupId: string;
	senderId: string;
	/** The fields of the sender. */
	senderForm: Record<string, string>;
}

const one = `${prefix}trip-1@example.com`;
const two = `${prefix}trip-2@example.com`;

/** Sends the writes that `learnByWriting` does not need, on records of our own. Nobody gets email but the sender. */
export async function roundTrip(service: Service, own: Own): Promise<void> {
	await ofGlobalUnsubscribes(service);
	await ofGroup(service, own.groupId);
	await ofContacts(service, own.typeId);
	await ofNotificationRecipients(service);
	await ofAutomations(service, own);
	const form = { ...own.senderForm, sender_id: own.senderId, nickname: `${prefix}sender` };
	await service.send('POST', '/sender/update', { form });
	await service.send('GET', '/sender/resend-mail', { query: { sender_id: own.senderId } });
}

/** The IDs of our records of this round trip. */
async function idsIn(service: Service, path: string, name = 'email_address'): Promise<string[]> {
	const records = await ownRecords(service, path, name);
	return records.filter((row) => text(row[name]).includes('trip-')).map(({ id }) => text(id));
}

async function ofGlobalUnsubscribes(service: Service): Promise<void> {
	const form = { email_address: `${one},${two}` };
	await service.send('POST', '/global-unsubscribes/save', { form });
	const [first = '', ...ids] = await idsIn(service, '/global-unsubscribes');
	await service.send('DELETE', '/global-unsubscribes/delete', { query: { id: first } });
	await service.send('POST', '/global-unsubscribes/bulk-delete', { ids });
}

async function ofGroup(service: Service, groupId: string): Promise<void> {
	const fields = { group_name: `${prefix}group`, description: 'For a check of the API' };
	await service.send('POST', '/unsubscribes-groups/update', {
		query: { id: groupId },
		form: { ...fields, is_display: '0' },
	});
	await service.send('POST', '/unsubscribes-groups/manually-add', {
		form: { unsubscribe_groups_id: groupId, email_address: one },
	});
	const entries = await service.list('/unsubscribes-groups/recipients-list', { groupId });
	const own = entries.filter(({ email_address: address }) => address === one);
	const ids = own.map(({ id }) => text(id));
	await service.send('POST', '/unsubscribes-groups/recipients-bulk-delete', { ids });
}

async function ofContacts(service: Service, typeId: string): Promise<void> {
	await service.send('POST', '/contacts-type/update', {
		form: { id: typeId, name: `${prefix}contacts` },
	});
	const { message } = await service.send('GET', '/get/country-state-city');
	const [country] = (message as { countries?: Array<Record<string, unknown>> }).countries ?? [];
	for (const email of [one, two]) {
		const form = { contact_type_id: typeId, email, country: text(country?.id) };
		await service.send('POST', '/contacts/add', { form });
	}
	const [first = '', ...ids] = await idsIn(service, '/contacts/list', 'email');
	await service.send('DELETE', '/contacts/delete', { query: { contact_id: first } });
	await service.send('POST', '/contacts/bulk-delete', { ids });
}

async function ofNotificationRecipients(service: Service): Promise<void> {
	for (const email_address of [one, two]) {
		const form = { email_address, email_owner: 'Acceptance' };
		await service.send('POST', '/notification-recipient/save', { form });
	}
	const [first = '', ...ids] = await idsIn(service, '/notification-recipients');
	await service.send('DELETE', '/notification-recipient/delete', { query: { id: first } });
	await service.send('POST', '/notification-recipient/bulk-delete', { ids });
}

async function ofAutomations(service: Service, own: Own): Promise<void> {
	const find = async () => await ownRecords(service, '/automations', 'automation_name');
	await service.send('POST', '/automations/create', {
		form: {
			...{ type: 'custom', automation_name: `${prefix}automation` },
			...{ automation_for: `contacts_${own.emptyTypeId}`, unsubscribe_group_id: own.groupId },
		},
	});
	const utr = text((await find())[0]?.utr);
	await service.send('POST', '/automations/schedule/create', {
		form: {
			...{ utr, sender_id: own.senderId, subject: 'Test', template_id: '1' },
			...{ waiting_period: '1', waiting_type: 'days', preview_img: 'none' },
			template_html: '<p>Test</p>',
		},
	});
	const [schedule] = await service.list('/automations/schedule', { utr });
	const query = { utr: text(schedule?.utr) };
	await service.send('DELETE', '/automations/schedule/delete', { query });
	const { message } = await service.send('GET', '/automations/duplicate', { query: { utr } });
	const copy = text((message as { utr?: unknown } | undefined)?.utr);
	await service.send('DELETE', '/automations/delete', { query: { utr } });
	// A copy may be called otherwise. What identifies it in a bulk delete is not shown either.
	const { id } = await service.record('/automations/details', { utr: copy });
	const { isSuccess } = await service.send('POST', '/automations/bulk-delete', { ids: [copy] });
	if (!isSuccess) await service.send('POST', '/automations/bulk-delete', { ids: [text(id)] });
}
