import type { Settings } from '../../../sandbox/settings.ts';
import { unknownId } from './reading.ts';
import { roundTrip } from './roundTrip.ts';
import { fieldPrefix, ownRecords, prefix } from './ownRecords.ts';
import { type Service, text, type Row } from './service.ts';

type Learnt = Partial<Settings>;

/** Fields of a contact type in its list (13). */
const known = 'id user_id name deleted_at created_at updated_at contacts_count'.split(' ');

const addressOf = (name: string): string => `${prefix}${name}@example.com`;

async function ownContactType(service: Service, name: string): Promise<Row> {
	await service.send('POST', '/contacts-type/add', { form: { name: prefix + name } });
	const types = await ownRecords(service, '/contacts-type', 'name');
	const found = types.find((type) => type.name === prefix + name);
	if (found === undefined) throw new Error('A contact type was created, but is not listed');
	return found;
}

/** What the rows of a list show, with two records of ours. */
function formOf(type: Row, types: Row[], envelope: string[]): Learnt {
	const ids = types.map(({ id }) => Number(id));
	const isNewest = ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? 0));
	const isFurther = [
		...Object.keys(type).filter((field) => !known.includes(field)),
		...envelope,
	].some((key) => !['status', 'message', 'errors'].includes(key));
	return {
		...(types.length > 1 && { listOrder: isNewest ? 'newest' : 'oldest' }),
		furtherFields: isFurther ? 'some' : 'none',
		nulls: !('deleted_at' in type) ? 'absent' : type.deleted_at === '' ? 'empty' : 'shown',
	};
}

async function learnContacts(service: Service, typeId: string, country: string): Promise<Learnt> {
	const form = { contact_type_id: typeId, country, last_name: 'Test' };
	const add = async (name: string, more: object = {}) =>
		await service.send('POST', '/contacts/add', {
			form: { ...form, email: addressOf(name), ...more },
		});
	const idsOf = async (name: string): Promise<string[]> =>
		(await ownRecords(service, '/contacts/list', 'email'))
			.filter(({ email }) => email === addressOf(name))
			.map(({ id }) => text(id));
	const unknown = await add('nowhere', { contact_type_id: unknownId });
	await add('one');
	await add('two');
	const again = await add('one');
	const [one = ''] = await idsOf('one');
	await service.send('POST', '/contacts/update', {
		form: { ...form, contact_id: one, email: addressOf('one'), last_name: '' },
	});
	const updated = await service.record('/contacts/details', { contact_id: one });
	await service.send('POST', '/contacts/bulk-delete', {
		ids: [...(await idsOf('two')), unknownId],
	});
	return {
		...(!unknown.isSuccess && {
			unknownReferences: typeof unknown.errors === 'string' ? 'text' : 'object',
		}),
		duplicateEmail: again.isSuccess ? 'allow' : 'refuse',
		emptyInUpdate: text(updated.last_name) === '' ? 'clears' : 'keeps',
		bulkUnknown: (await idsOf('two')).length === 0 ? 'skip' : 'refuse',
	};
}

async function learnCsv(service: Service, typeId: string, country: string): Promise<Learnt> {
	const fieldName = `${fieldPrefix}text`;
	await service.send('POST', '/custom-fields/save', {
		form: { field_name: fieldName, field_type: 'text' },
	});
	const upload = async (rows: string[]) => {
		const lines = [`email,country,${fieldName}`, ...rows, ''];
		const file = new Blob([lines.join('\n')], { type: 'text/csv' });
		return await service.send('POST', '/contacts/upload-csv', {
			form: { contact_type_id: typeId, file },
		});
	};
	const good = `${addressOf('csv')},${country},gold`;
	const both = await upload([good, `${prefix}no-address,${country},gold`]);
	const isRefused = !both.isSuccess;
	if (isRefused) await upload([good]);
	const imported = (await ownRecords(service, '/contacts/list', 'email')).find(
		({ email }) => email === addressOf('csv'),
	);
	if (imported === undefined) return {};
	return {
		csvBadRow: isRefused ? 'refuse' : 'skip',
		csvContactType: text(imported.contact_type_id) === typeId ? 'sent' : 'none',
		csvCustomFields: JSON.stringify(imported).includes('gold') ? 'filled' : 'ignored',
	};
}

/** A group of ours, with nobody in it: the API cannot delete one, so that of an earlier run is used again. */
async function ownGroup(service: Service): Promise<string> {
	const find = async () => (await ownRecords(service, '/unsubscribes-groups', 'group_name'))[0];
	if (!(await find())) {
		await service.send('POST', '/unsubscribes-groups/save', {
			form: {
				group_name: `${prefix}group`,
				description: 'For a check of the API',
				is_display: '0',
			},
		});
	}
	return text((await find())?.id);
}

async function learnGroup(service: Service, groupId: string): Promise<Learnt> {
	const query = { groupId };
	const empty = await service.send('GET', '/unsubscribes-groups/recipients-list', { query });
	await service.send('POST', '/unsubscribes-groups/manually-add', {
		form: { unsubscribe_groups_id: groupId, email_address: addressOf('group') },
	});
	const entry = (await ownRecords(service, '/global-unsubscribes', 'email_address'))[0];
	// Where all IDs are texts, this one is no exception.
	const isText = typeof entry?.unsubscribe_groups_id === 'string' && typeof entry.id !== 'string';
	return {
		emptyParents: empty.isSuccess ? 'success' : 'failed',
		groupEntries: entry === undefined ? 'apart' : isText ? 'text' : 'number',
	};
}

const minutesBetween = (utc: unknown, other: unknown): number =>
	(Date.parse(`${text(other).replace(' ', 'T')}Z`) - Date.parse(text(utc))) / 60_000;

/** The sender gets one email, at an address of whoever runs this, and is never verified. */
async function learnSender(
	service: Service,
	email: string,
): Promise<Learnt & { senderId?: string; senderForm: Record<string, string> }> {
	const { message } = await service.send('GET', '/get/country-state-city');
	const { countries = [], states = [] } = (message ?? {}) as { countries?: Row[]; states?: Row[] };
	const form = {
		...{ from_name: 'Acceptance', from_email: email, reply_to_email: email },
		...{ company_address: 'None', country_id: text(countries[0]?.id) },
	};
	const save = async (name: string, more: object = {}) =>
		await service.send('POST', '/sender/save', {
			form: { ...form, nickname: prefix + name, ...more },
		});
	const elsewhere = states.find(
		({ country_id: id }) => text(id) !== '' && text(id) !== form.country_id,
	);
	const placed = elsewhere && (await save('place', { state_id: text(elsewhere.id) }));
	await save('sender');
	const senders = await ownRecords(service, '/senders', 'nickname');
	const sender = senders.find(({ nickname }) => nickname === `${prefix}sender`);
	const minutes = minutesBetween(sender?.created_at, sender?.send_at);
	return {
		...(placed && { locationMatch: placed.isSuccess ? 'any' : 'nested' }),
		...(Number.isFinite(minutes) && { zoneMinutes: Math.round(minutes / 15) * 15 }),
		...(sender && { senderId: text(sender.id) }),
		senderForm: form,
	};
}

interface Form {
	date: string;
	time: string;
	bodies: Record<string, string>;
}

/** Single sends to a contact type without anybody in it, scheduled for a time that nobody will see. */
class Drafts {
	private count = 0;
	private readonly service: Service;
	private readonly fields: Record<string, string>;

	constructor(service: Service, fields: Record<string, string>) {
		this.service = service;
		this.fields = fields;
	}

	/** @returns the UTR, or '' if it was refused */
	async create(given: Form, templateId = '1'): Promise<string> {
		const single_send_name = `${prefix}${++this.count}`;
		const form = this.formOf(given, single_send_name, templateId);
		await this.service.send('POST', '/single/send/create', { form });
		const sends = await ownRecords(this.service, '/single-send/list', 'single_send_name');
		return text(sends.find((send) => send.single_send_name === single_send_name)?.utr);
	}

	async update(utr: string, given: Form): Promise<void> {
		const form = { ...this.formOf(given, `${prefix}${++this.count}`, '1'), utr };
		await this.service.send('POST', '/single/send/update', { form });
	}

	private formOf({ date, time, bodies }: Form, single_send_name: string, template_id: string) {
		const content = template_id === '1' ? { ...bodies, template_html: '<p>Test</p>' } : bodies;
		return {
			...{ ...this.fields, ...content, single_send_name, template_id },
			...{ schedule_type: '1', schedule_date: date, schedule_time: time },
		};
	}
}

const dates = ['2099-12-31', '99-12-31'] as const;
const times = ['23:30:00', '23:30'] as const;
const emptyBodies = { template_html: '', template_json: '' };

async function acceptedForm(drafts: Drafts): Promise<Form | undefined> {
	for (const bodies of [{}, emptyBodies]) {
		for (const date of dates) {
			for (const time of times) {
				if ((await drafts.create({ date, time, bodies })) !== '') return { date, time, bodies };
			}
		}
	}
	return undefined;
}

async function learnSingleSends(service: Service, drafts: Drafts): Promise<Learnt> {
	const form = await acceptedForm(drafts);
	if (form === undefined) return {};
	const otherDate = await drafts.create({ ...form, date: dates[1] });
	const otherTime = await drafts.create({ ...form, time: times[1] });
	const sends = await ownRecords(service, '/single-send/list', 'single_send_name');
	const own = await service.record('/single-send/details', { utr: text(sends[0]?.utr) });
	const [recipient] = (own.recipient_id ?? []) as Row[];
	const templates = await service.list('/get-design/template');
	const builtIn = text(templates.find(({ id }) => text(id) !== '1')?.id);
	const utr = builtIn === '' ? '' : await drafts.create(form, builtIn);
	const rendered = utr === '' ? undefined : await service.record('/single-send/details', { utr });
	await drafts.update(text(own.utr), form);
	const copied = await copies(service, text(own.utr));
	const isPlaceholder = text(own.template_json) === '{}';
	const isRendered = rendered !== undefined && text(rendered.template_html) !== '';
	return {
		dateFormat: form.date === dates[1] ? 'YY-MM-DD' : otherDate === '' ? 'YYYY-MM-DD' : 'any',
		timeFormat: form.time === times[1] ? 'HH:MM' : otherTime === '' ? 'HH:MM:SS' : 'any',
		unusedBody: form.bodies === emptyBodies ? 'empty' : 'any',
		storedContent: isPlaceholder ? 'placeholder' : isRendered ? 'rendered' : 'sent',
		...(typeof recipient?.id === 'number' && { numbers: 'idsAsNumber' }),
		...(copied && { copies: copied }),
		bulkIds: await bulkIds(service, async () => await drafts.create(form)),
	};
}

async function bulkIds(
	service: Service,
	create: () => Promise<string>,
): Promise<Settings['bulkIds']> {
	const isDeleted = async (key: 'id' | 'utr') => {
		const utr = await create();
		const find = async () =>
			(await ownRecords(service, '/single-send/list', 'single_send_name')).find(
				(send) => send.utr === utr,
			);
		await service.send('POST', '/single/send/bulk-delete', { ids: [text((await find())?.[key])] });
		return (await find()) === undefined;
	};
	if (!(await isDeleted('id'))) return 'utr';
	return (await isDeleted('utr')) ? 'both' : 'id';
}

/** A copy has the same audience as its original: nobody. */
async function copies(service: Service, utr: string): Promise<Settings['copies'] | undefined> {
	const list = async () => await ownRecords(service, '/single-send/list', 'single_send_name');
	const before = new Set((await list()).map((send) => send.utr));
	const query = { utr };
	const path = '/single/send/duplicate';
	const { status } = await service.send('POST', path, { query });
	// The reference names two methods.
	if ([404, 405].includes(status)) await service.send('GET', path, { query });
	const copy = (await list()).find((send) => !before.has(send.utr));
	if (copy === undefined) return undefined;
	return text(copy.schedule_type) === '1' ? 'asOriginal' : 'atOnce';
}

/** What writes tell, with records of our own only. */
export async function learnByWriting(service: Service, email: string): Promise<Learnt> {
	await ownContactType(service, 'empty');
	const type = await ownContactType(service, 'contacts');
	const typeId = text(type.id);
	const { keys } = await service.send('GET', '/contacts-type');
	const types = await ownRecords(service, '/contacts-type', 'name');
	const countsAreText = typeof type.contacts_count === 'string';
	const empty = types.find(({ name }) => name === `${prefix}empty`);
	const { message } = await service.send('GET', '/get/country-state-city');
	const [country] = ((message ?? {}) as { countries?: Row[] }).countries ?? [];
	const countryId = text(country?.id);
	const groupId = await ownGroup(service);
	const learnt: Learnt = {
		...formOf(type, types, keys),
		numbers: countsAreText ? 'asText' : typeof type.id === 'string' ? 'idsAsText' : 'shown',
		...(await learnContacts(service, typeId, countryId)),
		...(await learnCsv(service, typeId, countryId)),
		...(await learnGroup(service, groupId)),
	};
	const { senderId, senderForm, ...ofSender } = await learnSender(service, email);
	const drafts = new Drafts(service, {
		...{ subject: 'Test', preheader: 'Test', sender_id: senderId ?? '' },
		...{ unsubscribe_group_id: groupId, 'recipient_id[0]': `contacts_${text(empty?.id)}` },
	});
	const ofSends = senderId === undefined ? {} : await learnSingleSends(service, drafts);
	const own = { typeId, emptyTypeId: text(empty?.id), groupId, senderForm };
	if (senderId !== undefined) await roundTrip(service, { ...own, senderId });
	await service.send('DELETE', '/contacts-type/delete', { query: { contact_type_id: typeId } });
	const listed = await service.list('/contacts-type');
	const isKept = listed.some(({ id }) => text(id) === typeId);
	return { ...learnt, ...ofSender, ...ofSends, deletes: isKept ? 'kept' : 'gone' };
}
