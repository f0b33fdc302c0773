import { countryNamed } from '../sandbox/data/locations.ts';
import { isoMicros } from '../sandbox/format.ts';
import type { Contact } from '../sandbox/model.ts';
import type { SandboxClient } from '../scripts/lib/sandbox-client.ts';
import type { Random } from './random.ts';
import type { Source } from './source.ts';
import { GROUP, OTHER_TYPE, SYNCED_TYPE } from './workflows.ts';

const COMPLETED = 3;
/** Nobody deletes a campaign in the moment in which it has gone out. */
const restMs = 20_000;
const mostUnsubscribed = 40;

export type SuppressionList = 'globalUnsubscribes' | 'groupRecipients';

/** Somebody who unsubscribed. */
export interface Unsubscribed {
	email: string;
	list: SuppressionList;
	/** When it was done for certain. */
	at: number;
}

/** A campaign or an automation and what was done with it. */
export interface Timeline {
	utr: string;
	/** Undefined where it was not there at the beginning. */
	first: number | undefined;
	/** Undefined when it was deleted. */
	status: number | undefined;
	/** When it was created, moved and deleted. */
	changes: number[];
}

const newTimeline = (utr: string): Timeline => ({
	utr,
	first: undefined,
	status: 0,
	changes: [Date.now()],
});
const lastChange = ({ changes }: Timeline) => changes.at(-1) ?? 0;
const changedNow = () => ({ updated_at: isoMicros(Date.now()) });

/** What people do in the service itself meanwhile, and what they did. */
export class Service {
	readonly unsubscribed = new Map<string, Unsubscribed>();
	readonly sends = new Map<string, Timeline>();
	readonly automations = new Map<string, Timeline>();
	/** Alternative addresses that were entered by hand, by the contact's id: no sync may lose them. */
	readonly altEmails = new Map<number, string>();
	/** The contacts of the synced type that were there first, with fields that the other system does not have. */
	seeded: Contact[] = [];
	/** The contacts of the type that no workflow may touch. */
	others: Contact[] = [];
	acts = 0;
	private readonly sandbox: SandboxClient;
	private readonly source: Source;
	private readonly random: Random;

	constructor(sandbox: SandboxClient, source: Source, random: Random) {
		this.sandbox = sandbox;
		this.source = source;
		this.random = random;
	}

	/** What is there before the first workflow is active. */
	async prepare(): Promise<void> {
		await this.sandbox.add('contactTypes', { id: SYNCED_TYPE, name: 'Synced' });
		await this.sandbox.add('contactTypes', { id: OTHER_TYPE, name: 'Others' });
		await this.sandbox.add('unsubscribeGroups', { id: GROUP, group_name: 'News' });
		const people = [...this.source.people.values()];
		const known = people.filter(() => this.random.chance(0.6));
		for (const [index, person] of known.entries()) {
			const country = countryNamed(person.country)?.id ?? 0;
			const address_line2 = `Floor ${index}`;
			const contact = { ...person, country, address_line2, state_province_region: 'North' };
			await this.sandbox.add('contacts', { ...contact, contact_type_id: SYNCED_TYPE });
			if (index % 3 === 0) {
				await this.sandbox.add('contacts', { ...contact, contact_type_id: OTHER_TYPE });
			}
		}
		// Some have unsubscribed before they were ever a contact, some while they were.
		for (const person of people.filter((_, index) => index % 20 === 0)) {
			await this.unsubscribe(person.email);
		}
		for (let count = 0; count < 3; count++) await this.addSend();
		await this.addAutomation();
		for (const timeline of [...this.sends.values(), ...this.automations.values()]) {
			timeline.first = 0;
		}
		const contacts = await this.sandbox.records('contacts');
		this.seeded = contacts.filter((one) => one.contact_type_id === SYNCED_TYPE);
		this.others = contacts.filter((one) => one.contact_type_id === OTHER_TYPE);
	}

	/** Somebody does something. */
	async act(isTold: (send: Timeline) => boolean): Promise<void> {
		this.acts++;
		const dice = this.random.whole(1, 100);
		if (dice <= 20) await this.addSend();
		else if (dice <= 60) await this.moveSend();
		else if (dice <= 66) await this.deleteSend(isTold);
		else if (dice <= 70) await this.addAutomation();
		else if (dice <= 80) await this.switchAutomation();
		else if (dice <= 85) await this.unsubscribe(this.random.pick([...this.source.people.keys()]));
		else await this.editContact();
	}

	private async addSend(): Promise<void> {
		const single_send_name = `Campaign ${this.sends.size + 1}`;
		const { utr } = await this.sandbox.add('singleSends', { single_send_name });
		this.sends.set(utr, newTimeline(utr));
	}

	private async moveSend(): Promise<void> {
		const moving = [...this.sends.values()].filter(({ status = COMPLETED }) => status < COMPLETED);
		if (moving.length === 0) return;
		await this.setStatus('singleSends', this.random.pick(moving), (status) => status + 1);
	}

	private async deleteSend(isTold: (send: Timeline) => boolean): Promise<void> {
		const before = Date.now() - restMs;
		const done = [...this.sends.values()].filter(
			(send) => send.status === COMPLETED && lastChange(send) < before && isTold(send),
		);
		if (done.length === 0) return;
		const send = this.random.pick(done);
		await this.sandbox.remove('singleSends', send.utr);
		send.status = undefined;
		send.changes.push(Date.now());
	}

	private async addAutomation(): Promise<void> {
		const automation_name = `Automation ${this.automations.size + 1}`;
		const { utr } = await this.sandbox.add('automations', { automation_name });
		this.automations.set(utr, newTimeline(utr));
	}

	private async switchAutomation(): Promise<void> {
		const automation = this.random.pick([...this.automations.values()]);
		await this.setStatus('automations', automation, (status) => (status === 1 ? 2 : 1));
	}

	private async setStatus(
		table: 'singleSends' | 'automations',
		timeline: Timeline,
		next: (status: number) => number,
	): Promise<void> {
		const status = next(timeline.status ?? 0);
		await this.sandbox.change(table, timeline.utr, { status, ...changedNow() });
		timeline.status = status;
		timeline.changes.push(Date.now());
	}

	private async unsubscribe(email: string): Promise<void> {
		if (this.unsubscribed.has(email) || this.unsubscribed.size >= mostUnsubscribed) return;
		const ofGroup = this.random.chance(0.4);
		const list: SuppressionList = ofGroup ? 'groupRecipients' : 'globalUnsubscribes';
		await this.sandbox.add(list, {
			email_address: this.random.chance(0.5) ? email : email.toUpperCase(),
			unsubscribe_groups_id: ofGroup ? GROUP : null,
		});
		this.unsubscribed.set(email, { email, list, at: Date.now() });
	}

	/** By hand: a field that the sync cannot write, or one in which the other system has the last word. */
	private async editContact(): Promise<void> {
		const contacts = (await this.sandbox.records('contacts')).filter(
			({ contact_type_id, email }) =>
				contact_type_id === SYNCED_TYPE && !this.unsubscribed.has(email),
		);
		if (contacts.length === 0) return;
		const { id, email } = this.random.pick(contacts);
		if (this.random.chance(0.5)) {
			await this.sandbox.change('contacts', id, { city: 'By hand', ...changedNow() });
			return;
		}
		const alt_email = `alt-${this.acts}-${email}`;
		await this.sandbox.change('contacts', id, { alt_email, ...changedNow() });
		this.altEmails.set(id, alt_email);
	}
}
