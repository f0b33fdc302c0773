import { clearAddress } from '../../util/addressesIn';
import { notSent } from '../../run/writer/outcome';
import type { Outcome } from '../../run/writer/outcome';
import type { Verification } from '../../run/writer/verify';
import { write } from '../../run/writer/write';
import type { Action, WriteContext, WriteRequest } from '../../run/writer/write';
import { settleAll } from '../../util/settleAll';
import { toText } from '../../util/values';
import { failedRow, rowAfter } from '../contacts/contactWrites';
import type { FieldProblem } from '../contacts/changes';
import { FIELD_LABELS, type ContactInput } from '../contacts/fields';
import { notAnAddress } from '../contacts/identify';
import { checkConsent, skippedFor, type ClearedAddress } from '../consent/guard';
import type { PlannedRow } from '../contacts/types';
import type { Suppressions } from '../consent/types';

/** One entry for a list, read from an item. */
export interface Entry<Address extends string = ClearedAddress> {
	email: Address;
	fields: Record<string, string>;
}

/** A list of addresses that can only be read as a whole and added to. */
export interface AddressList {
	/** Fields sent along with an address; all of them are required. */
	fields: ReadonlyArray<'first_name' | 'last_name'>;
	/** Whether a request takes several entries. */
	takesMany: boolean;
	/** The addresses on the list. */
	read(): Promise<string[]>;
	/** Two addresses with the same key are the same entry. */
	keyOf(address: string): string;
	/** The addresses that must not be added. */
	readSuppressions?: () => Promise<Suppressions>;
	add(entries: readonly [Entry, ...Entry[]]): WriteRequest;
}

function invalidRow(
	item: number,
	email: string,
	{ code, field, problem }: FieldProblem,
): PlannedRow {
	return { ...failedRow({ item, email }, code, `${field} ${problem}`), field };
}

function readEntry(
	input: ContactInput,
	list: AddressList,
	item: number,
): Entry<string> | PlannedRow {
	if (input.unreadable) {
		return invalidRow(item, '', input.unreadable);
	}
	const given = toText(input.values.email);
	const field = FIELD_LABELS.email;
	if (typeof given !== 'string') {
		return invalidRow(item, '', { code: 'single-value-expected', field, ...given });
	}
	if (given === '') {
		const problem = 'is missing. Map the column that contains it';
		return invalidRow(item, '', { code: 'address-missing', field, problem });
	}
	const email = clearAddress(given);
	if (email === undefined) {
		return invalidRow(item, given, {
			code: 'address-invalid',
			field,
			problem: notAnAddress(given),
		});
	}
	const fields: Record<string, string> = {};
	for (const name of list.fields) {
		const text = toText(input.values[name]);
		const label = FIELD_LABELS[name];
		if (typeof text !== 'string') {
			return invalidRow(item, email, { code: 'single-value-expected', field: label, ...text });
		}
		if (text === '') {
			const problem = 'is missing, but the service requires it. Map the column that contains it';
			return invalidRow(item, email, { code: 'value-missing', field: label, problem });
		}
		fields[name] = text;
	}
	return { email, fields };
}

async function readKeys(list: AddressList): Promise<Set<string>> {
	return new Set((await list.read()).map(list.keyOf));
}

function planRow(
	entry: Entry<string> | PlannedRow,
	item: number,
	{ keyOf }: AddressList,
	existing: ReadonlySet<string>,
	suppressions: Suppressions,
	lastItems: ReadonlyMap<string, number>,
): Entry | PlannedRow {
	if ('action' in entry) return entry;
	const { email } = entry;
	const consent = checkConsent(suppressions, email);
	if ('suppression' in consent) {
		return { item, email, ...skippedFor(consent.suppression) };
	}
	if (existing.has(keyOf(email))) {
		return { item, email, action: 'skipped', reason: 'already on the list' };
	}
	const last = lastItems.get(keyOf(email));
	if (last !== undefined && last !== item) {
		const reason = `duplicate: item ${last} has the same email and is used instead`;
		return { item, email, action: 'skipped', reason };
	}
	return { ...entry, email: consent.cleared };
}

/**
 * Adds what is not on the list yet, with as few requests as it allows. What may have succeeded is looked up in the list.
 *
 * @returns the outcome for each item
 * @throws Cancelled; what the first read of the list throws
 */
export async function addEntries(
	inputs: readonly ContactInput[],
	list: AddressList,
	run: WriteContext,
): Promise<PlannedRow[]> {
	const [existing, suppressions] = await settleAll([readKeys(list), list.readSuppressions?.()]);
	const entries = inputs.map((input, position) => readEntry(input, list, input.item ?? position));
	const lastItems = new Map<string, number>();
	entries.forEach((entry, position) => {
		const item = inputs[position]?.item ?? position;
		if (!('action' in entry)) lastItems.set(list.keyOf(entry.email), item);
	});
	const planned = entries.map((entry, position) => {
		const item = inputs[position]?.item ?? position;
		return planRow(entry, item, list, existing, suppressions ?? new Map(), lastItems);
	});
	const verify: Verification<Entry> = {
		async read() {
			const keys = await readKeys(list);
			return ({ email }) => keys.has(list.keyOf(email));
		},
		rerun: 'existing entries are skipped.',
	};
	const outcomes = await write(
		run,
		planned.map((one): Action<Entry> | Outcome =>
			'action' in one
				? notSent
				: {
						part: one,
						...(list.takesMany && { batch: 'added' }),
						prepare: ({ parts }) => list.add(parts),
						verify,
					},
		),
		false,
	);
	return planned.map((one, position) => {
		if ('action' in one) return one;
		const item = inputs[position]?.item ?? position;
		return rowAfter({ item, email: one.email, action: 'created' }, outcomes[position]);
	});
}
