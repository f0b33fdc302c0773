import { parse } from 'csv-parse/sync';

import type { SyncReads } from '../../../nodes/EmailMarketing/features/contacts/syncReads';
import type { SyncOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import type {
	ContactBody,
	ListedContact,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import { COUNTRIES, contact, options } from './builders';
import { lost, refusal, type Answer, type Writes } from './syncRun';

/** What the reference leaves open about imports (21). */
export const IMPORTS = [
	...['as sent', 'without the city', 'without a type', 'twice', 'nothing', 'a little later'],
	...['much later', 'a part, then refused', 'refused above two rows', 'with a stranger'],
	...['without every second row', 'in place of another', 'capital letters'],
	...['with backslashes that escape', 'with numbers and null', 'all from Germany'],
] as const;
export type ImportStyle = (typeof IMPORTS)[number];

export type Fault = 'rejected' | 'lost before' | 'lost after';

const rejected = refusal('The service rejected "Email".', { code: 'field-rejected' });

/** The part of the service that sync uses, in memory, with faults and a journal. */
export class InMemoryService implements SyncReads, Writes {
	contacts: ListedContact[];
	globalUnsubscribes: string[] = [];
	groups: Record<number, string[]> = {};
	calls: string[] = [];
	underWay = 0;
	mostUnderWay = 0;
	/** What happens to the write that the text of a call contains. */
	faults: Array<[text: string, fault: Fault]> = [];
	onWrite: () => void = () => undefined;
	csv = '';
	imports: ImportStyle = 'as sent';
	/** The fields by the headers of a file. */
	csvColumns: Record<string, string> = {};
	/** Rows of a file that the service drops without a word. */
	dropped: string[] = [];
	/** Imported, but not in the list yet. */
	pending: ListedContact[] = [];
	failReadsAfter = Infinity;
	/** The contacts that came from creates and from files, not from the service's own people. */
	createdIds = new Set<number>();
	newId: () => number = () => this.nextId++;
	private nextId = 100;

	constructor(contacts: ListedContact[] = [1, 2, 3].map((id) => contact(id))) {
		this.contacts = contacts;
	}

	get writes(): string[] {
		return this.calls.filter((call) => /^(create|update|remove|upload|add)/.test(call));
	}

	get reads(): string[] {
		return this.calls.filter((call) => !this.writes.includes(call));
	}

	async listContacts() {
		this.calls.push('list');
		if (this.reads.length > this.failReadsAfter) throw new Error('The service is down');
		return structuredClone(this.contacts);
	}

	async listGlobalUnsubscribes() {
		this.calls.push('global unsubscribes');
		return this.globalUnsubscribes.map(entry);
	}

	async listGroupRecipients(groupId: number) {
		this.calls.push(`group ${groupId}`);
		return (this.groups[groupId] ?? []).map(entry);
	}

	async locations() {
		this.calls.push('lookup');
		return { countries: COUNTRIES };
	}

	async create(body: ContactBody) {
		return await this.write(`create ${body.email}`, () => {
			const id = this.newId();
			this.createdIds.add(id);
			this.contacts.push({ ...body, id, country: nameOf(body.country) });
		});
	}

	async update(contactId: number, body: ContactBody) {
		return await this.write(`update ${contactId}`, () => {
			const found = this.contacts.find(({ id }) => id === contactId);
			if (found) Object.assign(found, body, { country: nameOf(body.country) });
		});
	}

	async remove(contactId: number) {
		return await this.write(`remove ${contactId}`, () => this.drop([contactId]));
	}

	async removeMany(contactIds: number[]) {
		return await this.write(`removeMany ${contactIds.join(',')}`, () => this.drop(contactIds));
	}

	async addToGroup(groupId: number, addresses: string[]) {
		return await this.write(`addToGroup ${groupId} ${addresses.join(',')}`, () => {
			this.groups[groupId] = [...(this.groups[groupId] ?? []), ...addresses];
		});
	}

	async wait(ms: number) {
		this.calls.push(`wait ${ms}`);
		if (this.imports === 'a little later') this.arrive();
	}

	/** Imports that were accepted come to their end. */
	arrive(): void {
		this.contacts.push(...this.pending.splice(0));
	}

	async uploadCsv(contactTypeId: number, csv: string) {
		this.csv = csv;
		return await this.write('upload', () => {
			const escapes = this.imports === 'with backslashes that escape';
			// What PHP does by default: a quote after a backslash ends nothing.
			const parsed = parse(escapes ? csv.replaceAll('\\"', '\\\v') : csv, {
				columns: (headers: string[]) => headers.map((one) => this.csvColumns[one] ?? one),
				...(escapes && { relax_quotes: true, relax_column_count: true }),
			}) as unknown as Array<Record<string, string>>;
			const rows = parsed.filter(({ email = '' }) => !this.dropped.includes(email));
			const taken = this.imports === 'a part, then refused' ? rows.slice(1) : rows;
			if (this.imports === 'refused above two rows' && rows.length > 2) return rejected;
			if (this.imports === 'nothing') return undefined;
			taken.forEach((row, n) => this.takeRow(row, contactTypeId, n));
			if (this.imports === 'with a stranger')
				this.takeRow({ email: 'who@x.org' }, contactTypeId, 0);
			if (this.imports === 'in place of another') this.contacts.shift();
			return this.imports === 'a part, then refused' ? rejected : undefined;
		});
	}

	private takeRow({ country = '', ...texts }: Record<string, string>, type: number, n: number) {
		const add = () => {
			const id = this.newId();
			this.createdIds.add(id);
			const values = { ...texts, country: nameOf(country) } as Partial<ListedContact>;
			if (this.imports === 'without the city') values.city = '';
			if (this.imports === 'all from Germany') values.country = 'Germany';
			if (this.imports === 'with numbers and null') values.city = retyped(values.city);
			if (this.imports === 'capital letters') values.city = values.city?.toUpperCase();
			const contact_type_id = this.imports === 'without a type' ? 0 : type;
			const isLate = this.imports === 'a little later' || this.imports === 'much later';
			const { email = '' } = texts;
			(isLate ? this.pending : this.contacts).push({ email, ...values, id, contact_type_id });
		};
		if (this.imports === 'without every second row' && n % 2 === 1) return;
		add();
		if (this.imports === 'twice') add();
	}

	private drop(ids: number[]): void {
		this.contacts = this.contacts.filter(({ id }) => !ids.includes(id));
	}

	private async write(call: string, apply: () => Answer | void): Promise<Answer> {
		this.calls.push(call);
		this.underWay++;
		this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
		this.onWrite();
		await Promise.resolve();
		this.underWay--;
		const fault = this.faults.find(([text]) => call.includes(text))?.[1];
		if (fault === 'rejected') return rejected;
		const failure = (fault !== 'lost before' && apply()) || undefined;
		return fault ? lost : failure;
	}
}

/** What spreadsheet libraries make of a cell by default. */
function retyped(cell: string | null = ''): string {
	if (/^null$/i.test(cell ?? '')) return '';
	return /^(?!0\d)[\d.]+(e\d+)?$/i.test(cell ?? '') ? String(Number(cell)) : (cell ?? '');
}

const entry = (email_address: string) => ({
	email_address,
	created_at: '2026-03-01T10:00:00.000000Z',
});

const nameOf = (id: string) => COUNTRIES.find((country) => String(country.id) === id)?.name ?? id;

export const syncOptions = (changed: Partial<SyncOptions> = {}): SyncOptions => ({
	...options(),
	globalUnsubscribes: true,
	unsubscribeGroupIds: [],
	dryRun: false,
	...changed,
});
