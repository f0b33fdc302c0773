import type { Clock } from './clock.ts';
import { dateTime, hash, isoMicros, NO_DATE, shortToken } from './format.ts';
import type { Recipient, SingleSend } from './model.ts';
import type { Settings } from './settings.ts';
import type { Tables } from './store.ts';

export const INITIATE = 0;
export const READY = 1;
export const RUNNING = 2;
export const COMPLETED = 3;

const TOKENS_SHOWN = 20;

/** When a scheduled send is due, in milliseconds UTC; 0 when it is to go at once. */
const dueAt = (send: SingleSend): number =>
	send.schedule_type === 1 && send.schedule_date !== NO_DATE
		? Date.parse(`${send.schedule_date}T${send.schedule_time}Z`)
		: 0;

function addresses(tables: Tables, recipients: Recipient[]): Set<string> {
	const found = new Set<string>();
	const wanted = new Set(recipients.map(({ id, table }) => table + id));
	for (const contact of tables.contacts.values()) {
		if (wanted.has(`contacts_${contact.contact_type_id}`)) found.add(contact.email.toLowerCase());
	}
	for (const row of tables.segmentRecipients.values()) {
		if (wanted.has(`segments_${row.segment_id}`)) found.add(row.email.toLowerCase());
	}
	return found;
}

/** Targeted recipients less the excluded, those of the unsubscribe group and the global unsubscribes. */
export function audienceOf(tables: Tables, send: SingleSend): string[] {
	const left = addresses(tables, send.recipient_id);
	for (const address of addresses(tables, send.exclude_specific_recipient_id)) left.delete(address);
	for (const row of tables.groupRecipients.values()) {
		if (row.unsubscribe_groups_id === send.unsubscribe_group_id) {
			left.delete(row.email_address.toLowerCase());
		}
	}
	for (const row of tables.globalUnsubscribes.values())
		left.delete(row.email_address.toLowerCase());
	return [...left];
}

/** The same send to the same audience always has the same outcome. */
export function statisticsOf(utr: string, audience: string[], share: number): Partial<SingleSend> {
	const luck = Number.parseInt(hash(utr).slice(0, 4), 16) / 0xffff;
	const triggered = audience.length;
	const reached = Math.floor(triggered * share);
	const bounces = Math.floor(reached * (0.01 + 0.04 * luck));
	const delivered = reached - bounces;
	const unique_opens = Math.floor(delivered * (0.25 + 0.35 * luck));
	return {
		triggered,
		delivered,
		bounces,
		unique_opens,
		total_opens: Math.floor(unique_opens * (1.2 + luck)),
		unsubscribes: Math.floor(unique_opens * 0.03 * luck),
		unique_open_token: Object.fromEntries(
			audience
				.slice(0, Math.min(unique_opens, TOKENS_SHOWN))
				.map((address, index) => [index + 1, shortToken(utr + address, 24)]),
		),
	};
}

/** An email that the service would have sent. */
export interface Mail {
	at: string;
	utr: string;
	single_send_name: string;
	subject: string;
	email: string;
}

/** How many emails are kept: the newest. */
const MAILS_KEPT = 100_000;

/** Moves the single sends by one step per tick of the virtual clock. */
export class SendRunner {
	private readonly tables: Tables;
	private readonly clock: Clock;
	private readonly settings: Settings;
	private lastTick: number;
	/** What has been sent so far, by address. */
	mails: Mail[] = [];

	constructor(tables: Tables, clock: Clock, settings: Settings) {
		this.tables = tables;
		this.clock = clock;
		this.settings = settings;
		this.lastTick = clock.now();
	}

	restart(): void {
		this.mails = [];
		this.lastTick = this.clock.now();
	}

	/** Makes up for the ticks since the last call. Nothing can see a send between two calls, so no timer is needed. */
	settle(): void {
		const { tickMs } = this.settings;
		const now = this.clock.now();
		if (tickMs === 0 || now < this.lastTick) this.lastTick = now;
		while (tickMs > 0 && this.lastTick + tickMs <= now) {
			this.lastTick += tickMs;
			const next = this.step(this.lastTick);
			const idleTicks = Math.floor((Math.min(next, now) - this.lastTick) / tickMs);
			// Up to the tick before something happens again.
			if (idleTicks > 1) this.lastTick += (idleTicks - 1) * tickMs;
		}
	}

	/** So many ticks at once, moving the clock along with them. */
	tick(count: number): void {
		for (let done = 0; done < count; done++) {
			this.clock.advance(this.settings.tickMs);
			this.lastTick = this.clock.now();
			this.step(this.lastTick);
		}
	}

	/** Returns when the next send can move. */
	private step(now: number): number {
		let next = Infinity;
		for (const send of this.tables.singleSends.all()) {
			if (send.status >= COMPLETED) continue;
			const due = dueAt(send);
			if (send.status === READY && due > now) {
				next = Math.min(next, due);
				continue;
			}
			next = now;
			this.move(send, now);
		}
		return next;
	}

	private move(send: SingleSend, now: number): void {
		const status = send.status + 1;
		const change: Partial<SingleSend> = { status, updated_at: isoMicros(now) };
		if (status === RUNNING) {
			change.sent_at = dateTime(now);
			this.mail(send, now);
		}
		if (status >= RUNNING) {
			const share = status === COMPLETED ? 1 : 0.5;
			Object.assign(change, statisticsOf(send.utr, audienceOf(this.tables, send), share));
		}
		this.tables.singleSends.change(send, change);
	}

	/** Everyone gets the email as the send begins to run. */
	private mail(send: SingleSend, now: number): void {
		const { utr, single_send_name, subject } = send;
		const at = isoMicros(now);
		for (const email of audienceOf(this.tables, send)) {
			this.mails.push({ at, utr, single_send_name, subject, email });
		}
		if (this.mails.length > 1.1 * MAILS_KEPT) this.mails = this.mails.slice(-MAILS_KEPT);
	}
}
