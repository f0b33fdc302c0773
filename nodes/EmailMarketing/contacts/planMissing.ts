import { addressKey, isAddress } from '../util/email';
import { normalize } from '../util/normalize';
import { updateBody } from './changes';
import { FIELD_LABELS } from './fields';
import { notAnAddress, type Directory, type Identified, type Unidentified } from './identify';
import type { ContactCountries } from './planCountry';
import { suppressionOf } from './suppressionOf';
import type { ListedContact, MissingPolicy, PlanInput, PlannedRow } from './types';

/** Addresses with this in common may be one to the service: it may compare them without accents. */
const looseKey = (email: string) => normalize(addressKey(email));

/**
 * Contacts that no item names, whether the item is written, failed or superseded; nor one with the same address. Where
 * an item has no contact yet, one whose address differs only in accents is not missing either: the service may refuse to
 * create another one. If it does not, that contact is missing in the next run.
 */
export function findMissing(
	{ contacts }: Directory,
	identified: ReadonlyArray<Identified | Unidentified>,
): ListedContact[] {
	const named = new Set<number>();
	for (const { contact } of identified) if (contact) named.add(contact.id);
	const unnamed = contacts.filter(({ id }) => !named.has(id));
	if (unnamed.length === 0) return unnamed;
	const addresses = new Set<string>();
	const withoutContact = new Set<string>();
	for (const { contact, email } of identified) {
		if (contact) addresses.add(addressKey(contact.email));
		if (email === '') continue;
		addresses.add(addressKey(email));
		if (!contact) withoutContact.add(looseKey(email));
	}
	return unnamed.filter(
		({ email }) => !addresses.has(addressKey(email)) && !withoutContact.has(looseKey(email)),
	);
}

/** What is to be done about a contact, without saying which one it is. */
type Decision = Omit<PlannedRow, 'item' | 'email' | 'contactId'>;

const reason = 'missing from the input';

const notCertain: Decision = {
	action: 'skipped',
	reason: 'not removed, because an item that cannot be read may be about this contact',
};

/** Decides what happens to each contact that no item names. */
export class Removals {
	private readonly input: PlanInput;
	private readonly countries: ContactCountries;
	private readonly isUncertain: boolean;
	/** By address key: who has the address in the place where missing contacts are moved or added. */
	private readonly taken = new Map<string, number>();

	/** @param isUncertain whether an item that cannot be read may be about any of these contacts */
	constructor(input: PlanInput, countries: ContactCountries, isUncertain: boolean) {
		this.input = input;
		this.countries = countries;
		this.isUncertain = isUncertain;
		const { missing } = input.options;
		if (missing.kind !== 'moveToContactType') return;
		for (const { id, email, contact_type_id: type, deleted_at: deleted } of input.contacts) {
			if (!deleted && Number(type) === missing.contactTypeId) this.taken.set(addressKey(email), id);
		}
	}

	/** Whether missing contacts are removed, but this one is not the sync's to remove. */
	isOfOthers(contact: ListedContact): boolean {
		const { missing, onlyAddedBySync } = this.input.options;
		if (missing.kind === 'ignore' || !onlyAddedBySync) return false;
		return this.input.state?.isAdded(contact) !== true;
	}

	/**
	 * @param contact one that is the sync's to remove
	 * @returns nothing if missing contacts are left as they are
	 */
	removalOf(contact: ListedContact): PlannedRow | undefined {
		const { missing } = this.input.options;
		if (missing.kind === 'ignore') return undefined;
		const known = { email: contact.email, contactId: contact.id };
		const suppression = suppressionOf(this.input.suppressions, contact.email);
		if (suppression) return { ...known, action: 'skipped', reason: 'unsubscribed', suppression };
		if (this.isUncertain) return { ...known, ...notCertain };
		return { ...known, ...this.decide(contact, missing) };
	}

	private decide(contact: ListedContact, missing: MissingPolicy): Decision {
		switch (missing.kind) {
			case 'moveToContactType':
				return this.move(contact, missing.contactTypeId);
			case 'addToUnsubscribeGroup':
				return this.addToGroup(contact, missing.unsubscribeGroupId);
			default:
				return { action: 'deleted', reason, countryId: this.countries.shownId(contact) };
		}
	}

	private move(contact: ListedContact, contactTypeId: number): Decision {
		// The request has the address as well (23), which may be listed with spaces around it.
		const email = contact.email.trim();
		if (!isAddress(email)) return notMovable(contact);
		const owner = this.taken.get(addressKey(contact.email));
		if (owner !== undefined) {
			const why = `address taken: it belongs to contact ${owner} in contact type ${contactTypeId}`;
			return { action: 'skipped', reason: why };
		}
		const country = this.countries.resolve(contact, undefined, 'Set a country in the service');
		// The next plan, made when the details have been read, says what the row is.
		if (country === 'detailsNeeded') return { action: 'unchanged' };
		if ('problem' in country) return failed(country.field, country.problem);
		this.taken.set(addressKey(contact.email), contact.id);
		const body = updateBody(contact, email, country.next.id, {}, contactTypeId);
		return { action: 'moved', reason, body };
	}

	private addToGroup(contact: ListedContact, unsubscribeGroupId: number): Decision {
		const { email } = contact;
		if (this.input.groupMembers?.has(addressKey(email))) {
			return { action: 'unchanged', reason: 'already in the unsubscribe group' };
		}
		// The request takes addresses separated by commas (9).
		if (!isAddress(email.trim())) return notMovable(contact);
		const owner = this.taken.get(addressKey(email));
		if (owner !== undefined) {
			return { action: 'skipped', reason: `duplicate: contact ${owner} has the same email` };
		}
		this.taken.set(addressKey(email), contact.id);
		const countryId = this.countries.shownId(contact);
		return { action: 'addedToGroup', reason, unsubscribeGroupId, countryId };
	}
}

/** What the service lists as an address, but may refuse to take as one. */
const notMovable = ({ email }: ListedContact): Decision =>
	failed(FIELD_LABELS.email, notAnAddress(email));

const failed = (field: string, problem: string): Decision => ({
	action: 'failed',
	field,
	reason: `${field} ${problem}`,
});
