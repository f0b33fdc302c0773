import { addressToSend, keysIn, spellingsToSend } from '../../../util/addressesIn';
import { addressKey, isAddress, spellingKey } from '../../../util/email';
import { normalize } from '../../../util/normalize';
import { isDeleted } from '../../../records/recordKind';
import { failedFor, updateBody } from '../../contacts/changes';
import { FIELD_LABELS } from '../../contacts/fields';
import {
	alternativeKeys,
	notAnAddress,
	type Directory,
	type Identified,
	type MainAddresses,
	type Unidentified,
} from '../../contacts/identify';
import { countryOf } from './planCountry';
import { clearNobody, RemovalGate, type RemovalMemory, type Verdict } from '../removalGate';
import { checkConsent, skippedFor, suppressionOf } from '../../consent/guard';
import type { RemovalClearance } from '../../contacts/contactWrites';
import type { ListedContact, PlannedRow } from '../../contacts/types';
import type { Plan, PlanInput, SyncExecution } from '../types';

/**
 * Contacts that no item names, directly or by an equal address. Items that fail or are superseded name their contacts,
 * too. If an item has no contact yet, a contact whose address differs only in accents is not missing either, since the
 * service may refuse to create another one. If it does create it, the old contact is missing in the next run. A contact
 * whose alternative email is that of an item is not missing, unless it is only a further email of somebody who has a
 * contact: colleagues may share it.
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
	const ownAddresses = new Set<string>();
	const withoutContact = new Set<string>();
	for (const { contact, email, named: keys = [] } of identified) {
		const own = [contact?.email ?? '', email].filter((one) => one !== '').flatMap(keysIn);
		for (const key of own) ownAddresses.add(key);
		for (const key of keys) (contact ? addresses : ownAddresses).add(key);
		// The service may compare addresses without accents.
		if (!contact) for (const key of own) withoutContact.add(normalize(key));
	}
	return unnamed.filter(
		(contact) =>
			!alternativeKeys(contact).some((key) => ownAddresses.has(key)) &&
			!keysIn(contact.email).some(
				(key) => addresses.has(key) || ownAddresses.has(key) || withoutContact.has(normalize(key)),
			),
	);
}

/** A planned row, before it gets its contact. */
type Decision = Omit<PlannedRow, 'item' | 'email' | 'contactId'>;

const reason = 'missing from the input';

/** The reason of a contact that any item may mean. */
export const NOT_CERTAIN = 'not removed, because an unreadable item could refer to this person';

/** Decides how each missing contact is removed. */
class Removals {
	private readonly input: PlanInput;
	/** Contact IDs by address key: those in the target contact type, and all that this run moves or adds. */
	private readonly taken = new Map<string, number>();
	private readonly mainAddresses: MainAddresses;

	constructor(input: PlanInput, mainAddresses: MainAddresses) {
		this.input = input;
		this.mainAddresses = mainAddresses;
		const { missing } = input.options;
		if (missing.kind !== 'moveToContactType') return;
		for (const contact of input.contacts) {
			const { id, email, contact_type_id: type } = contact;
			if (isDeleted(contact) || Number(type) !== missing.contactTypeId) continue;
			this.taken.set(addressKey(email), id);
		}
	}

	/** The row of a contact that is left unchanged in any case; undefined if the contact may be removed. */
	obstacleOf(contact: ListedContact): PlannedRow | undefined {
		// Removal from a list of recipients adds nobody to another list and deletes no contact, so it is always allowed.
		if (this.input.options.list) return undefined;
		const known = { email: contact.email, contactId: contact.id };
		const suppression = suppressionOf(this.input.suppressions, contact.email);
		const { missing } = this.input.options;
		// "Never Add" names no list. It prevents only moves, because they add the contact to another contact type.
		const isObstacle = suppression?.list !== undefined || missing.kind === 'moveToContactType';
		if (suppression && isObstacle) return { ...known, ...skippedFor(suppression) };
		const { groupMembers } = this.input;
		const isMember =
			missing.kind === 'addToUnsubscribeGroup' &&
			groupMembers !== undefined &&
			spellingsToSend(contact.email).every((one) => groupMembers.has(spellingKey(one)));
		if (!isMember) return undefined;
		return { ...known, action: 'unchanged', reason: 'already in the unsubscribe group' };
	}

	/** The row of a missing contact. Contacts that are on hold, or that the sync did not add, are only counted. */
	rowOf(contact: ListedContact, verdict: Verdict): PlannedRow | undefined {
		if (verdict.kind === 'notAdded' || verdict.kind === 'held') return undefined;
		const obstacle = this.obstacleOf(contact);
		if (obstacle) return obstacle;
		const known = { email: contact.email, contactId: contact.id };
		switch (verdict.kind) {
			case 'uncertain':
				return { ...known, action: 'skipped', reason: NOT_CERTAIN };
			case 'notYet': {
				const why = `missing from ${verdict.times} of ${this.input.options.removeAfter} executions`;
				return { ...known, action: 'skipped', reason: `not removed yet: ${why}` };
			}
			case 'removable':
				return { ...known, ...this.decide(contact) };
		}
	}

	private decide(contact: ListedContact): Decision {
		const { missing } = this.input.options;
		switch (missing.kind) {
			case 'moveToContactType':
				return this.move(contact, missing.contactTypeId);
			case 'addToUnsubscribeGroup':
				return this.addToGroup(contact, missing.unsubscribeGroupId);
			default:
				return { action: 'deleted', reason };
		}
	}

	private move(contact: ListedContact, contactTypeId: number): Decision {
		// A move also sends the address (23), and the list may have spaces around it.
		const email = contact.email.trim();
		if (!isAddress(email)) return notMovable(contact);
		const consent = checkConsent(this.input.suppressions, email, ...this.mainAddresses(email));
		if ('suppression' in consent) return skippedFor(consent.suppression);
		const owner = this.taken.get(addressKey(contact.email));
		if (owner !== undefined) {
			const why = `address taken: it belongs to contact ${owner} in contact type ${contactTypeId}`;
			return { action: 'skipped', reason: why };
		}
		const country = countryOf(contact, undefined, this.input, 'Set a country in the service');
		if ('problem' in country) return failedFor(country);
		this.taken.set(addressKey(contact.email), contact.id);
		const body = updateBody(contact, consent.cleared, country.next.id, {}, contactTypeId);
		const newCountryId = country.current ? undefined : Number(country.next.id);
		return { action: 'moved', reason, body, newCountryId };
	}

	private addToGroup(contact: ListedContact, unsubscribeGroupId: number): Decision {
		const email = addressToSend(contact.email);
		// The request separates addresses by commas (9), so a comma in an address would make it two.
		if (!isAddress(email)) return notMovable(contact);
		const keys = spellingsToSend(contact.email).map(spellingKey);
		const owners = keys.map((key) => this.taken.get(key));
		const owner = owners.includes(undefined) ? undefined : owners[0];
		if (owner !== undefined) {
			return { action: 'skipped', reason: `duplicate: contact ${owner} has the same email` };
		}
		for (const key of keys) this.taken.set(key, contact.id);
		return { action: 'addedToGroup', reason, unsubscribeGroupId };
	}
}

/** The service may list a text that is not an address, but reject it in a request. */
const notMovable = ({ email }: ListedContact): Decision =>
	failedFor({
		code: 'address-invalid',
		field: FIELD_LABELS.email,
		problem: notAnAddress(email),
	});

/** The only run of its execution, which may remove contacts if "Remove After" is 1. */
export const onlyRun: SyncExecution = {
	facts: {
		...{ isRetry: false, isEvaluation: false, isManual: false, isFirst: true },
		...{ isCalledByCalled: false, isCalledRepeatedly: false },
		...{ mayRunAgain: false, isIncomplete: false, isOverlapped: false },
	},
	raises: true,
	delay: 0,
	earlier: { isUncertain: false, named: new Set() },
};

/** Address keys of everybody that items name: existing contacts, new ones, and all readings of unusual addresses. */
export function namedIn(
	contacts: readonly ListedContact[],
	unnamed: readonly ListedContact[],
	identified: ReadonlyArray<Identified | Unidentified>,
): string[] {
	const others = new Set(unnamed);
	const keys = new Set<string>();
	const add = (key: string) => keys.add(key);
	for (const contact of contacts) if (!others.has(contact)) keysIn(contact.email).forEach(add);
	for (const { contact, email, named = [] } of identified) {
		// Most items have the address of their contact, which is in the set already.
		if (email !== contact?.email) keysIn(email).forEach(add);
		named.forEach(add);
	}
	return [...keys];
}

interface MissingPlan {
	rows: PlannedRow[];
	/** How many contacts of the type this sync could remove; 0 if this run removes nobody. */
	removable: number;
	removal: RemovalClearance;
	counts: Pick<Plan, 'missingCount' | 'notAdded' | 'removedNextCount' | 'held'>;
	/** In a dry run: the rows of those that further executions would remove. */
	later: PlannedRow[];
	/** Missing contacts for which this execution counts toward "Remove After". */
	counted: readonly ListedContact[];
}

/**
 * @param unnamed contacts that no item of this run names
 * @param isAnyone whether an unreadable item may mean any contact
 * @param isNobody whether no item identifies anybody: such an input is probably a mistake, so nobody counts as missing
 */
export function planMissing(
	input: PlanInput,
	{ contacts, unclear }: Directory,
	mainAddresses: MainAddresses,
	unnamed: readonly ListedContact[],
	named: { isAnyone: boolean; isNobody: boolean },
): MissingPlan {
	const { state, approved, execution } = input;
	const { facts, raises, earlier } = execution;
	const options = { ...input.options, removeAfter: input.options.removeAfter + execution.delay };
	const missing = unnamed.filter(
		({ email }) => !keysIn(email).some((key) => earlier.named.has(key)),
	);
	const isAnyone = named.isAnyone || earlier.isUncertain;
	const counts = { missingCount: missing.length, notAdded: [], removedNextCount: 0 };
	if (options.missing.kind === 'ignore') {
		return { rows: [], removable: 0, removal: clearNobody(), counts, later: [], counted: [] };
	}
	const isListUnclear = unclear.size > 0;
	const memory: RemovalMemory = {
		isAdded: (contact) => approved?.has(contact.id) ?? state?.isAdded(contact) === true,
		timesMissing: (contact) => (state?.timesMissing(contact) ?? 0) + (raises ? 1 : 0),
	};
	const gate = new RemovalGate({ ...facts, isListUnclear }, isAnyone, options, memory);
	const removals = new Removals({ ...input, options }, mainAddresses);
	const verdicts = missing.map((contact) => [contact, gate.judge(contact)] as const);
	const own = verdicts.filter(([, { kind }]) => kind !== 'notAdded');
	const isNext = (verdict: Verdict) =>
		!named.isNobody && verdict.kind === 'notYet' && verdict.times === options.removeAfter - 1;
	const rows = own.flatMap(([contact, verdict]) => removals.rowOf(contact, verdict) ?? []);
	const waiting = options.dryRun ? own.filter(([, { kind }]) => kind === 'notYet') : [];
	const later = waiting.flatMap(([one]) => removals.rowOf(one, { kind: 'removable' }) ?? []);
	return {
		rows,
		later,
		removable:
			own.some(([, { kind }]) => kind === 'removable') || later.length > 0
				? gate.countRemovable(contacts, (contact) => !removals.obstacleOf(contact))
				: 0,
		removal: gate.clearance(rows),
		counts: {
			...counts,
			notAdded: verdicts.flatMap(([{ email }, { kind }]) => (kind === 'notAdded' ? [email] : [])),
			removedNextCount: own.filter(([one, verdict]) => isNext(verdict) && !removals.obstacleOf(one))
				.length,
			...(gate.hold !== undefined && { held: { why: gate.hold, count: own.length } }),
		},
		counted: isAnyone || isListUnclear || named.isNobody ? [] : own.map(([contact]) => contact),
	};
}
