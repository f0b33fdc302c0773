import type { IDataObject } from 'n8n-workflow';

import { countryNamed } from '../../sandbox/data/locations.ts';
import { isoMicros } from '../../sandbox/format.ts';
import type { Random } from '../../soak/random.ts';
import type { Service } from './service.ts';

export const TYPE = 21;
export const OTHER_TYPE = 22;
export const GROUP = 51;
export const LEFT_GROUP = 52;
export const SEGMENT = 61;
/** Nothing but the actors writes to these. */
export const IMPORT_TYPE = 23;
export const TEST_TYPE = 24;
export const RECIPIENT_GROUP = 53;
export const TEMPLATE = 71;

const names = ['Ann', 'Björn', 'Chloé', 'Dmitri', 'Élodie', 'Fatma'];
const cities = ['Köln', 'Paris', 'Łódź', 'Aix, en Provence'];
const germany = countryNamed('Germany')?.id ?? 0;
const plans = ['basic', 'gold', 'Über, "alles"'];
/** What a cell may have that is empty; where it is undefined, the item lacks the key. */
const empty = ['', null, '  ', undefined];
const fewest = 3;
const most = 14;
/** Nobody deletes what no poll can have seen yet. */
const restMs = 4 * 60 * 60_000;

/** What people do: in the other system, whose people are synced, and in the service itself. */
export class World {
	/** The other system, by address. */
	readonly people = new Map<string, IDataObject>();
	/** Others whom it puts on a segment or on an unsubscribe list, by address. */
	readonly recipients = new Map<string, IDataObject>();
	private readonly gone: string[] = [];
	/** IDs of contacts that have not appeared yet. */
	private readonly reserved: number[] = [];
	private readonly born = new Map<string, number>();
	private count = 0;
	/** Not where it is them who are put on an unsubscribe list. */
	recipientsUnsubscribe = false;
	/** Whether people have an ID in the other system, and may change their address. */
	hasIds = false;
	/** Nobody unsubscribes if so many have. Contacts of those who have are no longer written. */
	mostUnsubscribes = most;
	/** Whether people have the ID of their contact, where somebody has noted it. */
	hasContactIds = false;
	/** Whether cells may be empty. */
	hasEmptyCells = false;
	/** Whether people have values of custom fields. */
	hasCustomFields = false;
	/** The ID that each address had last. */
	private readonly ids = new Map<string, string>();
	private readonly service: Service;
	private readonly random: Random;
	private readonly now: () => number;

	constructor(service: Service, random: Random, now: () => number) {
		this.service = service;
		this.random = random;
		this.now = now;
	}

	private get tables() {
		return this.service.state.tables;
	}

	private get time(): number {
		return this.service.state.clock.now();
	}

	/** People who may unsubscribe, or ask to be erased. */
	get known(): string[] {
		const recipients = this.recipientsUnsubscribe ? this.recipients.keys() : [];
		return [...this.people.keys(), ...this.gone, ...recipients];
	}

	/** What is there before n8n starts. */
	prepare(): void {
		const { tables, time, random } = this;
		tables.contactTypes.add({ id: TYPE, name: 'Synced' }, time);
		tables.contactTypes.add({ id: OTHER_TYPE, name: 'Others' }, time);
		tables.contactTypes.add({ id: IMPORT_TYPE, name: 'Imported' }, time);
		tables.contactTypes.add({ id: TEST_TYPE, name: 'Test list' }, time);
		tables.templates.add({ id: TEMPLATE, template_name: 'Plain', html_code: '<p>Hi</p>' }, time);
		for (const id of [GROUP, LEFT_GROUP, RECIPIENT_GROUP])
			tables.unsubscribeGroups.add({ id, group_name: `Group ${id}` }, time);
		tables.segments.add({ id: SEGMENT, contact_type_id: TYPE, segment_name: 'Some' }, time);
		if (this.hasCustomFields) {
			tables.customFields.add({ field_name: 'plan', field_type: 'text' }, time);
			tables.customFields.add({ field_name: 'points', field_type: 'number' }, time);
		}
		for (let n = 0; n < 3; n++) {
			tables.singleSends.add({ single_send_name: `Old ${n}`, status: n }, time);
			tables.automations.add({ automation_name: `Old ${n}`, status: n % 2 }, time);
			tables.senders.add({ nickname: `Sender ${n}`, is_verified: n % 2 }, time);
			this.comes();
		}
		for (let n = 0; n < 2; n++) this.addByHand();
		tables.contacts.add({ email: 'other@example.com', contact_type_id: OTHER_TYPE }, time);
		const [sender] = tables.senders.all().filter(({ is_verified }) => is_verified === 1);
		for (let n = 0; n < 3; n++) {
			const fields = {
				...{ automation_name: `Ready ${n}`, unsubscribe_group_id: String(GROUP) },
				...{ automation_for: TYPE, automation_for_table: 'contacts_' },
			};
			const { id } = tables.automations.add(fields, time);
			const email = { subject: 'Welcome', sender_id: sender?.id, template_id: TEMPLATE };
			tables.automationSchedules.add({ automation_id: id, ...email }, time);
		}
		const tester = { email: 'first-tester@example.com', contact_type_id: TEST_TYPE };
		tables.contacts.add({ ...tester, country: germany }, time);
		if (random.chance(0.5)) this.unsubscribes();
	}

	/** One thing that somebody does, or undefined where it is not possible now. */
	act(random: Random): IDataObject | undefined {
		this.service.tick();
		const acts: Array<readonly [weight: number, act: () => IDataObject | undefined]> = [
			[8, () => this.campaignMoves(random)],
			[2, () => this.created('singleSends', { single_send_name: 'New' })],
			[3, () => this.automationMoves(random)],
			[1, () => this.created('automations', { automation_name: 'New' })],
			[2, () => this.deleted(random)],
			[3, () => this.opens(random)],
			[2, () => this.verifies(random)],
			[4, () => this.comes(random)],
			[3, () => this.leaves(random)],
			[5, () => this.alters(random)],
			[3, () => this.unsubscribes(random)],
			[2, () => this.edits(random)],
			[1, () => this.addByHand()],
			[1, () => this.removedByHand(random)],
			[1, () => this.joinsSegment()],
			[1, () => this.addedLate()],
			[2, () => this.changesTestList()],
			...(this.hasIds || this.hasContactIds ? [[4, () => this.renames(random)] as const] : []),
			...(this.hasContactIds
				? [
						[8, () => this.notesContactId(random)] as const,
						[3, () => this.mistakesContactId(random)] as const,
						[2, () => this.movesByHand(random)] as const,
					]
				: []),
			...(this.hasEmptyCells ? [[10, () => this.empties(random)] as const] : []),
			...(this.hasEmptyCells || this.hasCustomFields
				? [[10, () => this.fills(random)] as const]
				: []),
		];
		const total = acts.reduce((sum, [weight]) => sum + weight, 0);
		let chosen = random.whole(1, total);
		for (const [weight, act] of acts) {
			chosen -= weight;
			if (chosen <= 0) return act();
		}
		return undefined;
	}

	private changed = () => ({ updated_at: isoMicros(this.time) });

	private created(
		table: 'singleSends' | 'automations',
		fields: IDataObject,
	): IDataObject | undefined {
		if (this.tables[table].size > most) return undefined;
		const row = this.tables[table].add(fields as never, this.time);
		this.born.set(row.utr, this.now());
		return { change: 'created', table, key: row.utr };
	}

	private campaignMoves(random: Random): IDataObject | undefined {
		const moving = this.tables.singleSends.all().filter(({ status }) => status < 3);
		if (moving.length === 0) return undefined;
		const send = random.pick(moving);
		const status = Math.min(3, send.status + random.whole(1, 2));
		this.tables.singleSends.change(send, { status, ...this.changed() });
		return { change: 'status', table: 'singleSends', key: send.utr, status };
	}

	private automationMoves(random: Random): IDataObject | undefined {
		const automation = random.pick(this.tables.automations.all());
		if (!automation) return undefined;
		const status = automation.status === 1 ? random.pick([0, 2]) : 1;
		this.tables.automations.change(automation, { status, ...this.changed() });
		return { change: 'status', table: 'automations', key: automation.utr, status };
	}

	private deleted(random: Random): IDataObject | undefined {
		const table = random.pick(['singleSends', 'automations'] as const);
		const old = this.tables[table]
			.all()
			.filter(({ utr }) => this.now() - (this.born.get(utr) ?? 0) > restMs);
		if (old.length < 2) return undefined;
		const record = random.pick(old);
		this.tables[table].remove(record.id);
		const name = 'single_send_name' in record ? record.single_send_name : undefined;
		return { change: 'deleted', table, key: record.utr, name };
	}

	private opens(random: Random): IDataObject | undefined {
		const sends = this.tables.singleSends.all();
		if (sends.length === 0) return undefined;
		const send = random.pick(sends);
		const bounces = send.bounces + random.whole(1, 4);
		this.tables.singleSends.change(send, { bounces, ...this.changed() });
		return { change: 'bounces', table: 'singleSends', key: send.utr, bounces };
	}

	private verifies(random: Random): IDataObject | undefined {
		const waiting = this.tables.senders.all().filter(({ is_verified }) => is_verified === 0);
		if (waiting.length === 0 || this.tables.senders.size < most) {
			const { id } = this.tables.senders.add({ nickname: 'New' }, this.time);
			return { change: 'created', table: 'senders', key: String(id) };
		}
		const sender = random.pick(waiting);
		this.tables.senders.change(sender, { is_verified: 1, ...this.changed() });
		return { change: 'verified', table: 'senders', key: String(sender.id) };
	}

	private comes(random = this.random): IDataObject | undefined {
		if (this.people.size >= most) return undefined;
		const isBack = this.gone.length > 0 && random.chance(0.3);
		const email = isBack
			? (this.gone.splice(random.whole(0, this.gone.length - 1), 1)[0] ?? '')
			: `person${++this.count}@example.com`;
		const customer = this.hasIds ? { customer: this.idFor(email) } : {};
		const plan = this.hasCustomFields && random.of(`plan of ${email}`).pick(plans);
		this.people.set(email, {
			email,
			first_name: random.pick(names),
			country: 'Germany',
			...customer,
			...(plan && { custom_field_plan: plan }),
		});
		return { change: 'comes', email };
	}

	/** Whoever comes back keeps their ID, unless somebody with that ID is there under another address. */
	private idFor(email: string): string {
		const before = this.ids.get(email);
		const isFree = ![...this.people.values()].some(({ customer }) => customer === before);
		const id = before !== undefined && isFree ? before : `C${++this.count}`;
		this.ids.set(email, id);
		return id;
	}

	/** Somebody gets a new address, or one that another person had. */
	private renames(random: Random): IDataObject | undefined {
		const email = random.pick([...this.people.keys()]);
		const isUsed = this.gone.length > 0 && random.chance(0.3);
		const to = isUsed
			? (this.gone.splice(random.whole(0, this.gone.length - 1), 1)[0] ?? '')
			: `person${++this.count}@example.com`;
		const person: IDataObject = { ...this.people.get(email), email: to };
		this.people.delete(email);
		this.people.set(to, person);
		if (this.hasIds) this.ids.set(to, String(person.customer));
		this.gone.push(email);
		return { change: 'renames', email, to };
	}

	private leaves(random: Random): IDataObject | undefined {
		if (this.people.size <= fewest) return undefined;
		const email = random.pick([...this.people.keys()]);
		this.people.delete(email);
		this.gone.push(email);
		return { change: 'leaves', email };
	}

	private alters(random: Random): IDataObject {
		const email = random.pick([...this.people.keys()]);
		const field = random.pick(['first_name', 'city']);
		const value = random.pick(field === 'city' ? cities : names);
		this.people.set(email, { ...this.people.get(email), [field]: value });
		return { change: 'alters', email, [field]: value };
	}

	/** Somebody looks up the contact of a person. A workflow may save its ID as a number or as text. */
	private notesContactId(random: Random): IDataObject {
		const email = random.pick([...this.people.keys()]);
		const contact = this.live().find((one) => one.email === email && one.contact_type_id === TYPE);
		const contact_id = contact ? random.pick([contact.id, String(contact.id)]) : '';
		this.people.set(email, { ...this.people.get(email), email, contact_id });
		return { change: 'notesContactId', email, contact_id };
	}

	/** Somebody enters an ID by mistake: of another person, of another contact type, of nobody, or none at all. */
	private mistakesContactId(random: Random): IDataObject {
		const email = random.pick([...this.people.keys()]);
		const person = this.people.get(email);
		const contact_id = random.pick([
			...this.live().map(({ id }) => id),
			...[1, ' ', null, 'none', `${Number(person?.contact_id)}.0`],
		]);
		const written = ['', ` ${email.toUpperCase()}`, email.replace('@', ' @')];
		this.people.set(email, {
			...{ ...person, contact_id },
			...(random.chance(0.4) && { email: random.pick(written) }),
		});
		return { change: 'mistakesContactId', email, contact_id };
	}

	/** Somebody puts a contact into the other contact type, or back. */
	private movesByHand(random: Random): IDataObject | undefined {
		const types: Record<number, number> = { [TYPE]: OTHER_TYPE, [OTHER_TYPE]: TYPE };
		const movable = this.live().filter(({ contact_type_id: type }) => type in types);
		if (movable.length < fewest) return undefined;
		const contact = random.pick(movable);
		const { id, email, contact_type_id: from } = contact;
		const to = types[from] as number;
		if (this.live().some((one) => one.email === email && one.contact_type_id === to)) {
			return undefined;
		}
		this.tables.contacts.change(contact, { contact_type_id: to, ...this.changed() });
		return { change: 'movedByHand', email, id, from, to };
	}

	private live = () => this.tables.contacts.all().filter(({ deleted_at: deleted }) => !deleted);

	private empties(random: Random): IDataObject {
		const customFields = this.hasCustomFields ? ['custom_field_plan'] : [];
		const field = random.pick(['first_name', 'last_name', 'city', 'country', ...customFields]);
		const value = random.pick(empty);
		const emails = [...this.people.keys()].filter(() => random.chance(0.4));
		for (const email of emails) {
			this.people.set(email, { ...this.people.get(email), [field]: value });
		}
		return { change: 'empties', emails, field, value };
	}

	private fills(random: Random): IDataObject {
		const email = random.pick([...this.people.keys()]);
		const values: IDataObject = {
			...(this.hasEmptyCells && {
				...{ last_name: random.pick(names), postal_code: random.pick([50667, '01067 ']) },
				...{ country: random.pick(['DE', 'Austria']), city: random.pick(cities) },
			}),
			...(this.hasCustomFields && {
				...{ custom_field_plan: random.pick(plans), custom_field_points: random.whole(0, 2) },
				custom_field_unknown: random.pick(['', '', 'x']),
			}),
		};
		const field = random.pick(Object.keys(values));
		this.people.set(email, { ...this.people.get(email), [field]: values[field] });
		return { change: 'fills', email, field, value: values[field] };
	}

	private unsubscribes(random = this.random): IDataObject | undefined {
		const email = random.pick(this.known);
		const { globalUnsubscribes, groupRecipients } = this.tables;
		if (globalUnsubscribes.size + groupRecipients.size > this.mostUnsubscribes) return undefined;
		const written = random.chance(0.3) ? email.toUpperCase() : email;
		if (random.chance(0.5)) {
			this.tables.globalUnsubscribes.add({ email_address: written }, this.time);
			return { change: 'unsubscribes', table: 'globalUnsubscribes', email };
		}
		const fields = { email_address: written, unsubscribe_groups_id: GROUP };
		this.tables.groupRecipients.add(fields, this.time);
		return { change: 'unsubscribes', table: 'groupRecipients', email };
	}

	private edits(random: Random): IDataObject | undefined {
		const contacts = this.tables.contacts.all().filter(({ deleted_at }) => !deleted_at);
		if (contacts.length === 0) return undefined;
		const contact = random.pick(contacts);
		this.tables.contacts.change(contact, { city: 'By hand', ...this.changed() });
		return { change: 'edited', email: contact.email, id: contact.id };
	}

	private addByHand(): IDataObject | undefined {
		if (this.tables.contacts.size > 3 * most) return undefined;
		const email = `hand${++this.count}@example.com`;
		const alt_email = this.count % 2 === 0 ? ([...this.people.keys()][0] ?? null) : null;
		const fields = { email, alt_email, contact_type_id: TYPE, country: germany };
		const { id } = this.tables.contacts.add(fields, this.time);
		return { change: 'addedByHand', email, id };
	}

	private changesTestList(): IDataObject {
		const { contacts } = this.tables;
		const email = 'tester@example.com';
		const there = contacts.all().find((one) => one.email === email && !one.deleted_at);
		if (there) contacts.remove(there.id);
		else contacts.add({ email, contact_type_id: TEST_TYPE, country: germany }, this.time);
		return { change: 'testers', email, isThere: !there };
	}

	/** As in a long import: a contact gets its ID before another one, and appears after it. */
	private addedLate(): IDataObject | undefined {
		const { contacts } = this.tables;
		if (contacts.size > 3 * most) return undefined;
		const email = `late${++this.count}@example.com`;
		const late = this.reserved.shift();
		const id = late ?? contacts.nextId + 1;
		if (late === undefined) this.reserved.push(contacts.nextId);
		contacts.add({ id, email, contact_type_id: TYPE, country: germany }, this.time);
		return { change: 'addedByHand', email, id };
	}

	private removedByHand(random: Random): IDataObject | undefined {
		const contacts = this.tables.contacts.all().filter((one) => one.contact_type_id === TYPE);
		if (contacts.length < fewest) return undefined;
		const { id, email } = random.pick(contacts);
		this.tables.contacts.remove(id);
		return { change: 'removedByHand', email, id };
	}

	private joinsSegment(): IDataObject | undefined {
		if (this.tables.segmentRecipients.size > most) return undefined;
		const email = `segment${++this.count}@example.com`;
		const { id } = this.tables.segmentRecipients.add({ email, segment_id: SEGMENT }, this.time);
		return { change: 'joins', table: 'segmentRecipients', id };
	}
}
