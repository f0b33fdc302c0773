import { isBlank } from '../../../params/values';
import { coerceText } from '../../../util/coerce';
import { quote, sanitize } from '../../../util/text';
import {
	createBody,
	entryBody,
	failedFor,
	garbledIn,
	readValues,
	textChanges,
	updateBody,
	type FieldProblem,
	type WantedValues,
} from '../../contacts/changes';
import { differingCustomFields } from '../../../records/customFields';
import { addTo } from '../../../util/groups';
import type { Country } from '../../locations/country';
import { externalIdOf, matchExternalIds } from '../memory/externalId';
import {
	createDirectory,
	claimsOf,
	identify,
	isUncertain,
	mainAddresses,
	type Directory,
	type Identified,
	type MainAddresses,
	type Unidentified,
} from '../../contacts/identify';
import { countryOf } from './planCountry';
import { afterwards, exceededLimit, isCounted } from './planLimits';
import { findMissing, namedIn, planMissing } from './planMissing';
import { NOT_IN_RETRY, REMOVED_IN_SERVICE } from '../memory/rememberRun';
import { checkConsent, skippedFor, type ClearedAddress } from '../../consent/guard';
import { FIELD_LABELS, type ContactInput } from '../../contacts/fields';
import type { Changes, ListedContact, PlannedRow } from '../../contacts/types';
import type { Plan, PlanInput } from '../types';

const ONLY_CUSTOM_FIELDS = 'only custom fields differ, and the API cannot change them';
const COUNTRY_NOT_COMPARED =
	'the country was not compared: the country list is unreadable, or several countries have its name';
const UNKNOWN =
	'is not a custom field of the service. Correct the name, or add the field in the service';
const UNREADABLE = 'is a list or an object. Map a single value';

/** An item with the address that another item changes a contact to is for that contact, too. */
function withRenamed(
	rows: ReadonlyArray<Identified | Unidentified>,
	{ keyOf }: Directory,
): ReadonlyArray<Identified | Unidentified> {
	const renamed = new Map<string, ListedContact[]>();
	for (const row of rows) {
		if ('problem' in row || !row.contact || row.keepsEmail) continue;
		addTo(renamed, keyOf(row.email), row.contact);
	}
	if (renamed.size === 0) return rows;
	return rows.map((row) => {
		if ('problem' in row || row.contact) return row;
		const [contact, ...others] = renamed.get(keyOf(row.email)) ?? [];
		if (contact === undefined || others.some(({ id }) => id !== contact.id)) return row;
		return { ...row, contact, isGone: false };
	});
}

/**
 * With "Match By: Contact ID", one item changes the email of a contact, and another one without an ID has the old email:
 * it may be somebody else's by now, such as that of an office.
 */
function withoutOldEmails(
	rows: ReadonlyArray<Identified | Unidentified>,
	items: readonly ContactInput[],
): ReadonlyArray<Identified | Unidentified> {
	const hasId = (position: number) => !isBlank(items[position]?.contactId);
	const isRenamed = new Map<number, boolean>();
	for (const [position, row] of rows.entries()) {
		if ('problem' in row || !row.contact || !hasId(position)) continue;
		const { id } = row.contact;
		isRenamed.set(id, !row.keepsEmail && isRenamed.get(id) !== false);
	}
	return rows.map((row, position) => {
		if ('problem' in row || !row.contact || hasId(position)) return row;
		if (isRenamed.get(row.contact.id) !== true) return row;
		const { contact, email, named } = row;
		const problem = `still belongs to contact ${contact.id}, whose email another item changes. Once that is written, run the node again`;
		// Without the contact, which the other item names: its external ID is not that of this item.
		return { code: 'email-taken', field: FIELD_LABELS.email, problem, email, named };
	});
}

/** The item that is used instead of others for the same contact or address. */
interface Winner {
	item: number;
	contact?: ListedContact;
}

class Planner {
	private readonly directory: Directory;
	private readonly input: PlanInput;
	private readonly uncompared = new Set<number>();
	private readonly recreated = new Set<number>();
	private readonly mainAddresses: MainAddresses;

	constructor(input: PlanInput) {
		this.input = input;
		const { contactTypeId, list } = input.options;
		this.directory = createDirectory(input.contacts, contactTypeId, list);
		this.mainAddresses = mainAddresses(input.contacts);
	}

	plan(): Plan {
		const { items, options, state } = this.input;
		const byEach = items.map((item) => identify(item, this.directory, options.matchBy));
		const byKeys = options.matchBy === 'contactId' ? withoutOldEmails(byEach, items) : byEach;
		const matched = state ? matchExternalIds(items, byKeys, this.directory, state) : byKeys;
		const identified = withRenamed(matched, this.directory);
		const ofItems = this.rows(identified);
		const unreadable = identified.flatMap((row, position) =>
			isUncertain(row) ? [{ item: this.inputAt(position).item, email: row.email }] : [],
		);
		const isAnyone = unreadable.length > 0;
		const unnamed = findMissing(this.directory, identified);
		const { contacts } = this.directory;
		const identifiedCount = identified.filter((row) => !('problem' in row)).length;
		const isNobody = identifiedCount === 0;
		const named = { isAnyone, isNobody };
		const missing = planMissing(this.input, this.directory, this.mainAddresses, unnamed, named);
		// As arguments of one call, 130,000 rows would exceed the stack.
		const rows = ofItems.concat(missing.rows);
		const countCreated = (items: ReadonlySet<number>) =>
			ofItems.filter(({ item = -1, action }) => action === 'created' && items.has(item)).length;
		const totals = {
			contacts: contacts.length,
			items: items.length,
			identified: identifiedCount,
			removable: missing.removable,
		};
		const removedLater = missing.later.filter((row) => isCounted(row, 'removals'));
		return {
			rows,
			removal: missing.removal,
			limit: exceededLimit(rows, totals, options),
			removedLaterCount: removedLater.length,
			limitLater:
				removedLater.length > 0
					? exceededLimit(removedLater, afterwards(totals, rows), options)
					: undefined,
			contacts,
			suppressions: this.input.suppressions,
			listed: this.input.contacts,
			...missing.counts,
			counted: missing.counted,
			unreadable,
			...(!isAnyone && { named: namedIn(contacts, unnamed, identified) }),
			uncomparedCount: countCreated(this.uncompared),
			recreatedCount: countCreated(this.recreated),
		};
	}

	/** Several items may be for one contact: the last one that neither fails nor is skipped is used. */
	private rows(identified: ReadonlyArray<Identified | Unidentified>): PlannedRow[] {
		const claims = identified.map((row) => claimsOf(row, this.directory));
		const counts = new Map<string, number>();
		for (const claim of claims.flat()) counts.set(claim, (counts.get(claim) ?? 0) + 1);
		const isContested = (item: number) =>
			(claims[item] ?? []).some((claim) => (counts.get(claim) ?? 0) > 1);
		const winners = new Map<string, number>();
		const decided = new Map<number, PlannedRow>();
		for (let item = identified.length - 1; item >= 0; item--) {
			if (!isContested(item)) continue;
			const later = (claims[item] ?? []).flatMap((claim) => winners.get(claim) ?? []);
			const winner = later.length > 0 ? Math.max(...later) : undefined;
			const row = this.row(
				identified[item] as Identified,
				item,
				winner === undefined ? undefined : this.winnerAt(winner, identified[winner] as Identified),
			);
			decided.set(item, row);
			if (row.action === 'failed' || row.action === 'skipped') continue;
			for (const claim of claims[item] ?? []) winners.set(claim, item);
		}
		return identified.map((row, item) => decided.get(item) ?? this.row(row, item));
	}

	private inputAt(position: number): ContactInput {
		return this.input.items[position] as ContactInput;
	}

	private winnerAt(position: number, { contact }: Identified): Winner {
		return { item: this.inputAt(position).item, contact };
	}

	private row(row: Identified | Unidentified, position: number, winner?: Winner): PlannedRow {
		const input = this.inputAt(position);
		const { item } = input;
		if ('problem' in row) {
			return { item, email: row.email, contactId: row.contact?.id, ...failedFor(row) };
		}
		const { contact, email } = row;
		const known = { item, email, contactId: contact?.id };
		const others = [contact?.email, row.remembered?.email, ...this.mainAddresses(email)];
		// The list may have spaces around the address, which an update sends with the rest.
		const consent = checkConsent(this.input.suppressions, email.trim(), ...others);
		if ('suppression' in consent) {
			return { ...known, ...skippedFor(consent.suppression) };
		}
		const { cleared } = consent;
		if (winner) {
			if (contact && winner.contact && winner.contact.id !== contact.id) {
				const problem = `${quote(email)} is also the new email of contact ${winner.contact.id} in item ${winner.item}. Use another email`;
				return {
					...known,
					...failedFor({ code: 'email-taken', field: FIELD_LABELS.email, problem }),
				};
			}
			const same = this.input.options.list ? 'has the same email' : 'is for the same contact';
			const reason = `duplicate: item ${winner.item} ${same} and is used instead`;
			return { ...known, action: 'skipped', reason };
		}
		const { countries, options } = this.input;
		const refusal = contact ? undefined : this.refusal(row, item, input.externalId);
		if (refusal !== undefined) return { ...known, action: 'skipped', ...refusal };
		const wanted = readValues(input, countries, options.emptyValues);
		if ('problem' in wanted) return { ...known, ...failedFor(wanted) };
		const { list, contactTypeId } = options;
		if (!contact) {
			const write = list
				? entryBody(cleared, wanted, list.fields, { contactTypeId, ...list })
				: createBody(cleared, wanted, countries, options);
			if ('problem' in write) return { ...known, ...failedFor(write) };
			const customFields = this.customFieldsOfNew(wanted);
			if ('problem' in customFields) return { ...known, ...failedFor(customFields) };
			return { ...known, action: 'created', ...write, ...customFields };
		}
		if (list) return { ...known, action: 'unchanged', reason: 'already on the list' };
		const changes = textChanges(contact, email, wanted);
		const garbled = garbledIn(Object.entries(changes).map(([field, { to }]) => [field, to]));
		if (garbled) return { ...known, ...failedFor(garbled) };
		const planned = {
			...known,
			reason: row.note,
			...this.update(contact, cleared, changes, wanted.country),
		};
		const customFieldsNotWritten = [
			...differingCustomFields(contact.customValues, wanted.customFields),
			...wanted.unreadable,
		];
		const isDifferent = customFieldsNotWritten.length > 0;
		const why = planned.isCountryUncompared
			? COUNTRY_NOT_COMPARED
			: isDifferent && ONLY_CUSTOM_FIELDS;
		return {
			...planned,
			...(planned.action === 'unchanged' && why && { reason: planned.reason ?? why }),
			...(isDifferent && { customFieldsNotWritten }),
		};
	}

	/**
	 * Only fields that the service has are imported: another one would make the trial import fail for everybody. If custom
	 * fields are required, a new contact without one of them fails.
	 */
	private customFieldsOfNew({
		customFields,
		unreadable,
	}: WantedValues): Partial<PlannedRow> | FieldProblem {
		const { findCustomField = (name: string) => name, options } = this.input;
		const kind = options.csvImport?.customFields;
		const written = new Map<string, string>();
		const unknown: string[] = [];
		const given = new Set(customFields.map(([name]) => name));
		for (const [name, value] of customFields) {
			const own = kind && findCustomField(name);
			// Of two names that differ in case, the one of the service counts.
			const isOther = own !== name && own !== undefined && (given.has(own) || written.has(own));
			if (own === undefined || isOther) unknown.push(name);
			else written.set(own, value);
		}
		const garbled = garbledIn([...written]);
		if (garbled) return garbled;
		const notWritten = [...unknown, ...unreadable];
		const [field] = notWritten;
		if (kind === 'importOrFail' && field !== undefined) {
			return unknown.length > 0
				? { code: 'custom-field-unknown', field, problem: UNKNOWN }
				: { code: 'single-value-expected', field, problem: UNREADABLE };
		}
		return {
			...(written.size > 0 && { customFields: [...written] }),
			...(notWritten.length > 0 && { customFieldsNotWritten: notWritten }),
		};
	}

	/** Why a new contact is not created. Also counts the new contacts that a note in the output is about. */
	private refusal(
		{ email, isGone }: Identified,
		item: number,
		externalId: unknown,
	): Pick<PlannedRow, 'reason' | 'contactId'> | undefined {
		const { options, state, execution } = this.input;
		const isRemoved = isGone === true || state?.isKnown(email) === true;
		const staysRemoved = options.onlyAddedBySync && !options.recreateRemoved;
		if (isRemoved && staysRemoved) {
			const moved = this.directory.byId.get(state?.contactIdOf(email) ?? 0);
			if (!moved) return { reason: REMOVED_IN_SERVICE };
			const reason = `email changed in the service: contact ${moved.id} has ${sanitize(moved.email, 254)}`;
			return { reason, contactId: moved.id };
		}
		const isUncompared = state?.knowsExternalIdField === false && externalIdOf(externalId) !== '';
		const mayBeRemoved = state?.isFirst === true && staysRemoved;
		if ((mayBeRemoved || isUncompared) && execution.facts.isRetry) return { reason: NOT_IN_RETRY };
		if (isUncompared) this.uncompared.add(item);
		if (isRemoved) this.recreated.add(item);
		return undefined;
	}

	private update(
		contact: ListedContact,
		email: ClearedAddress,
		changes: Changes,
		wanted?: Country,
	): Omit<PlannedRow, 'item' | 'email' | 'contactId'> {
		if (!wanted && Object.keys(changes).length === 0) return { action: 'unchanged' };
		const country = countryOf(contact, wanted, this.input, 'Map a country');
		if ('problem' in country) return failedFor(country);
		const { current, next, isUncompared } = country;
		const uncompared = isUncompared && { isCountryUncompared: true };
		const isUnchanged = Object.keys(changes).length === 0;
		if (isUnchanged && (isUncompared || next.id === current?.id)) {
			return { action: 'unchanged', ...uncompared };
		}
		if (next.id !== current?.id) {
			const from = coerceText(contact.country);
			changes.country = { from, to: next.name ?? next.id };
		}
		const body = updateBody(contact, email, next.id, changes, this.input.options.contactTypeId);
		return { action: 'updated', changes, body, ...uncompared };
	}
}

/**
 * Plans the writes that make the service match the input. Nothing is read or written here; time and memory are linear
 * in items plus contacts.
 */
export function planContacts(input: PlanInput): Plan {
	return new Planner(input).plan();
}
