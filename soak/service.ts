import type { IDataObject } from 'n8n-workflow';
import { countryNamed } from '../sandbox/data/locations.ts';
import { isoMicros } from '../sandbox/format.ts';
import type { SandboxClient } from '../scripts/lib/sandbox-client.ts';
import { TABLES, tablesWith, type Tables } from '../test/histories/evidence.ts';
import { History } from '../test/histories/history.ts';
import type { Random } from './random.ts';
import type { Source } from './source.ts';
import { GROUP, OTHER_TYPE, SYNCED_TYPE } from './workflows.ts';

const COMPLETED = 3;
/** Nobody deletes a campaign in the moment in which it has gone out. */
const restMs = 20_000;
const mostUnsubscribed = 40;

/** A campaign or an automation that is there. */
export interface Moving {
	utr: string;
	status: number;
	changedAt: number;
}

const changedNow = () => ({ updated_at: isoMicros(Date.now()) });

/** The records of the service as they are now. */
export async function tablesOf(sandbox: SandboxClient): Promise<Tables> {
	const all = await Promise.all(
		TABLES.map(async (table) => [table, await sandbox.records(table)] as const),
	);
	return tablesWith(Object.fromEntries(all));
}

/** What people do in the service itself meanwhile, and what they did. */
export class Service {
	/** When it all began. */
	readonly start = Date.now();
	/** What was done, as soon as that is certain. */
	readonly history = new History(() => Date.now() - this.start);
	readonly unsubscribed = new Set<string>();
	/** What was there before the first workflow was active. */
	first: Tables = tablesWith({});
	acts = 0;
	private count = 0;
	private readonly sends = new Map<string, Moving>();
	private readonly automations = new Map<string, Moving>();
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
		this.first = await tablesOf(this.sandbox);
	}

	/** Somebody does something. */
	async act(isTold: (utr: string) => boolean): Promise<void> {
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

	/** Notes something that was done. */
	private note(data: IDataObject): void {
		this.history.note('trouble', String(this.acts), data);
	}

	private created(table: 'singleSends' | 'automations', utr: string): Moving {
		this.note({ change: 'created', table, key: utr });
		return { utr, status: 0, changedAt: Date.now() };
	}

	private async addSend(): Promise<void> {
		const single_send_name = `Campaign ${++this.count}`;
		const { utr } = await this.sandbox.add('singleSends', { single_send_name });
		this.sends.set(utr, this.created('singleSends', utr));
	}

	private async moveSend(): Promise<void> {
		const moving = [...this.sends.values()].filter(({ status }) => status < COMPLETED);
		if (moving.length === 0) return;
		await this.setStatus('singleSends', this.random.pick(moving), (status) => status + 1);
	}

	private async deleteSend(isTold: (utr: string) => boolean): Promise<void> {
		const before = Date.now() - restMs;
		const done = [...this.sends.values()].filter(
			({ utr, status, changedAt }) => status === COMPLETED && changedAt < before && isTold(utr),
		);
		if (done.length === 0) return;
		const { utr } = this.random.pick(done);
		await this.sandbox.remove('singleSends', utr);
		this.sends.delete(utr);
		this.note({ change: 'deleted', table: 'singleSends', key: utr });
	}

	private async addAutomation(): Promise<void> {
		const automation_name = `Automation ${this.automations.size + 1}`;
		const { utr } = await this.sandbox.add('automations', { automation_name });
		this.automations.set(utr, this.created('automations', utr));
	}

	private async switchAutomation(): Promise<void> {
		const automation = this.random.pick([...this.automations.values()]);
		await this.setStatus('automations', automation, (status) => (status === 1 ? 2 : 1));
	}

	private async setStatus(
		table: 'singleSends' | 'automations',
		moving: Moving,
		next: (status: number) => number,
	): Promise<void> {
		const status = next(moving.status);
		await this.sandbox.change(table, moving.utr, { status, ...changedNow() });
		Object.assign(moving, { status, changedAt: Date.now() });
		this.note({ change: 'status', table, key: moving.utr, status });
	}

	private async unsubscribe(email: string): Promise<void> {
		if (this.unsubscribed.has(email) || this.unsubscribed.size >= mostUnsubscribed) return;
		const ofGroup = this.random.chance(0.4);
		const table = ofGroup ? 'groupRecipients' : 'globalUnsubscribes';
		await this.sandbox.add(table, {
			email_address: this.random.chance(0.5) ? email : email.toUpperCase(),
			unsubscribe_groups_id: ofGroup ? GROUP : null,
		});
		this.unsubscribed.add(email);
		this.note({ change: 'unsubscribes', table, email });
	}

	/** By hand: a field that the sync cannot write, or one in which the other system has the last word. */
	private async editContact(): Promise<void> {
		const contacts = (await this.sandbox.records('contacts')).filter(
			({ contact_type_id, email }) =>
				contact_type_id === SYNCED_TYPE && !this.unsubscribed.has(email),
		);
		if (contacts.length === 0) return;
		const { id, email } = this.random.pick(contacts);
		const fields = this.random.chance(0.5)
			? { city: 'By hand' }
			: { alt_email: `alt-${this.acts}-${email}` };
		await this.sandbox.change('contacts', id, { ...fields, ...changedNow() });
		this.note({ change: 'edited', email, id, ...fields });
	}
}
