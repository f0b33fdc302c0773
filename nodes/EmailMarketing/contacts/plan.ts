import { coerceText } from '../util/coerce';
import { addressKey } from '../util/email';
import { quote } from '../util/text';
import { toText } from '../util/values';
import { createBody, readValues, textChanges, updateBody, type FieldProblem } from './changes';
import type { Country } from './country';
import { FIELD_LABELS } from './fields';
import {
	createDirectory,
	findSuperseded,
	identify,
	type Directory,
	type Identified,
	type Unidentified,
} from './identify';
import type { Changes, ListedContact, Plan, PlanInput, PlannedRow, Suppression } from './types';

/** The country that a contact has now. */
type CurrentCountry = Country | 'none' | 'unresolved' | 'detailsNeeded';

class Planner {
	private readonly directory: Directory;
	private readonly detailsNeeded = new Set<number>();
	/** Names of countries that the details of one contact are to be read for. */
	private readonly namesToLearn = new Set<string>();
	private readonly input: PlanInput;

	constructor(input: PlanInput) {
		this.input = input;
		this.directory = createDirectory(input.contacts, input.options.contactTypeId);
	}

	plan(): Plan {
		const { items, options } = this.input;
		const identified = items.map((item) => identify(item, this.directory, options.matchBy));
		const superseded = findSuperseded(identified);
		const rows = identified.map((row, item) => this.row(row, item, superseded.get(item)));
		const missing = this.findMissing(identified);
		let deletionLimit: string | undefined;
		if (options.missing === 'delete') {
			const deletions = missing.map((contact) => this.deletion(contact));
			const count = deletions.filter(({ action }) => action === 'deleted').length;
			deletionLimit = this.exceededLimit(count, identified);
			for (const deletion of deletions) rows.push(deletion);
		}
		return {
			rows,
			detailsNeeded: [...this.detailsNeeded],
			deletionLimit,
			contactCount: this.directory.contacts.length,
			missingCount: missing.length,
		};
	}

	private row(row: Identified | Unidentified, item: number, supersededBy?: number): PlannedRow {
		if ('problem' in row) return this.failed(item, row.email, row, row.contact?.id);
		const { contact, email } = row;
		const known = { item, email, contactId: contact?.id };
		const suppression = this.suppressionOf(email, contact);
		if (suppression) return { ...known, action: 'skipped', reason: 'unsubscribed', suppression };
		if (supersededBy !== undefined) {
			const reason = `duplicate: item ${supersededBy} is for the same contact and is used instead`;
			return { ...known, action: 'skipped', reason };
		}
		const { countries, options } = this.input;
		const { values } = this.input.items[item] ?? { values: {} };
		const wanted = readValues(values, countries, options.emptyValues);
		if ('problem' in wanted) return this.failed(item, email, wanted, contact?.id);
		if (!contact) {
			const write = createBody(email, wanted, countries, options);
			if ('problem' in write) return this.failed(item, email, write);
			return { ...known, action: 'created', ...write };
		}
		const changes = textChanges(contact, email, wanted);
		return { ...known, reason: row.note, ...this.update(contact, email, changes, wanted.country) };
	}

	private update(
		contact: ListedContact,
		email: string,
		changes: Changes,
		wanted?: Country,
	): Omit<PlannedRow, 'item' | 'email' | 'contactId'> {
		if (!wanted && Object.keys(changes).length === 0) return { action: 'unchanged' };
		const current = this.currentCountry(contact);
		// The next plan, made when the details have been read, says what the row is.
		if (current === 'detailsNeeded') return { action: 'unchanged' };
		const known = typeof current === 'string' ? undefined : current;
		const next = wanted ?? known ?? (current === 'none' ? this.defaultCountry() : undefined);
		if (!next) return { action: 'failed', ...this.noCountry(contact) };
		if (next.id !== known?.id) {
			const from = coerceText(contact.country);
			changes.country = { from, to: next.name ?? next.id };
		}
		if (Object.keys(changes).length === 0) return { action: 'unchanged' };
		const body = updateBody(contact, email, next.id, changes, this.input.options.contactTypeId);
		return { action: 'updated', changes, body };
	}

	private noCountry({ country }: ListedContact): Pick<PlannedRow, 'field' | 'reason'> {
		const field = FIELD_LABELS.country;
		const why = country
			? `${quote(country)} of the contact is not in the country list of the service. Map a country`
			: 'is missing: the contact has none, but the service requires one. Map it, or set "Country for New Contacts" in Options';
		return { field, reason: `${field} ${why}` };
	}

	private defaultCountry(): Country | undefined {
		const { defaultCountry } = this.input.options;
		if (!defaultCountry) return undefined;
		const found = this.input.countries.find(defaultCountry);
		return 'problem' in found ? undefined : found;
	}

	private currentCountry(contact: ListedContact): CurrentCountry {
		const { countries, countryIds } = this.input;
		const read = countryIds?.get(contact.id);
		const shown = toText(read === undefined || read === '' ? contact.country : read);
		const found = typeof shown === 'string' && shown !== '' ? countries.find(shown) : undefined;
		if (found && 'id' in found) return found;
		if (read && /^\d+$/.test(read)) return { id: read };
		if (countryIds) return found ? 'unresolved' : 'none';
		// One contact's details show the id of an unknown name for all contacts that have it.
		const shared = found !== undefined && !found.ambiguous ? String(shown) : undefined;
		if (shared === undefined || !this.namesToLearn.has(shared)) this.detailsNeeded.add(contact.id);
		if (shared !== undefined) this.namesToLearn.add(shared);
		return 'detailsNeeded';
	}

	private suppressionOf(email: string, contact?: ListedContact): Suppression | undefined {
		const { suppressions } = this.input;
		return (
			suppressions.get(addressKey(email)) ??
			(contact && suppressions.get(addressKey(contact.email)))
		);
	}

	private failed(
		item: number,
		email: string,
		{ field, problem }: FieldProblem,
		contactId?: number,
	): PlannedRow {
		return { item, action: 'failed', email, contactId, field, reason: `${field} ${problem}` };
	}

	/** Contacts that no item names, whether the item is written, failed or superseded. */
	private findMissing(identified: ReadonlyArray<Identified | Unidentified>): ListedContact[] {
		const named = new Set<number>();
		const addresses = new Set<string>();
		for (const row of identified) {
			if (row.contact) named.add(row.contact.id);
			if (row.email !== '') addresses.add(addressKey(row.email));
		}
		return this.directory.contacts.filter(
			({ id, email }) => !named.has(id) && !addresses.has(addressKey(email)),
		);
	}

	private deletion(contact: ListedContact): PlannedRow {
		const known = { email: contact.email, contactId: contact.id };
		const suppression = this.suppressionOf(contact.email);
		if (suppression) return { ...known, action: 'skipped', reason: 'unsubscribed', suppression };
		return { ...known, action: 'deleted', reason: 'missing from the input' };
	}

	/** The first limit that the deletions exceed, in a sentence. */
	private exceededLimit(
		deletions: number,
		identified: ReadonlyArray<Identified | Unidentified>,
	): string | undefined {
		const { maxDeletions, maxDeletionPercent } = this.input.options;
		const total = this.directory.contacts.length;
		if (deletions === 0) return undefined;
		if (!identified.some((row) => !('problem' in row))) {
			return 'No input item identifies a contact, so all contacts of this contact type would be deleted';
		}
		const excess = `${deletions} of ${total} contacts would be deleted`;
		if (maxDeletions !== undefined && deletions > maxDeletions) {
			return `${excess}, more than the ${maxDeletions} allowed`;
		}
		if (deletions * 100 > total * maxDeletionPercent) {
			return `${excess}, more than the ${maxDeletionPercent}% allowed`;
		}
		return undefined;
	}
}

/**
 * Works out what has to be written so that the service has what the input says. Nothing is read or written here;
 * time and memory are linear in items plus contacts. When `detailsNeeded` of the plan is not empty, read those and
 * plan again with `countryIds`.
 */
export function planContacts(input: PlanInput): Plan {
	return new Planner(input).plan();
}
