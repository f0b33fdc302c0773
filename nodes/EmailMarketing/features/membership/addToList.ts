import { clearAddress } from '../../util/addressesIn';
import { chunksOf, sendInChunks } from '../../util/chunks';
import type { Pool } from '../../util/pool';
import { settleAll } from '../../util/settleAll';
import { toText } from '../../util/values';
import type { WriteFailure } from '../contacts/syncPort';
import type { FieldProblem } from '../contacts/changes';
import { FIELD_LABELS, type ContactInput } from '../contacts/fields';
import { notAnAddress } from '../contacts/identify';
import { checkConsent, type ClearedAddress } from '../consent/guard';
import type { PlannedRow } from '../contacts/types';
import type { Suppressions } from '../consent/types';
import { uncertaintyOf, failedRow, verifyWrites, type SentWrite } from '../contacts/verify';

/** One entry for a list, read from an item. */
export interface Entry<Address extends string = ClearedAddress> {
	email: Address;
	fields: Record<string, string>;
}

/** A list of addresses that can only be read as a whole and added to. */
export interface AddressList {
	/** Fields sent along with an address; all of them are required. */
	fields: ReadonlyArray<'first_name' | 'last_name'>;
	/** Entries per request. */
	chunk: number;
	/** The addresses on the list. */
	read(): Promise<string[]>;
	/** Two addresses with the same key are the same entry. */
	keyOf(address: string): string;
	/** The addresses that must not be added. */
	readSuppressions?: () => Promise<Suppressions>;
	add(entries: Entry[]): Promise<WriteFailure | undefined>;
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
		return { item, email, action: 'skipped', reason: 'unsubscribed', ...consent };
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
 * Adds what is not on the list yet, with as few requests as it allows. No request that may have succeeded is repeated;
 * it is looked up in the list. A rejected chunk is sent entry by entry, so that one address does not fail others.
 *
 * @returns the outcome for each item
 * @throws Cancelled; what the first read of the list throws
 */
export async function addEntries(
	inputs: readonly ContactInput[],
	list: AddressList,
	pool: Pool,
): Promise<PlannedRow[]> {
	const [existing, suppressions] = await settleAll([readKeys(list), list.readSuppressions?.()]);
	const entries = inputs.map((input, position) => readEntry(input, list, input.item ?? position));
	const lastItems = new Map<string, number>();
	entries.forEach((entry, position) => {
		const item = inputs[position]?.item ?? position;
		if (!('action' in entry)) lastItems.set(list.keyOf(entry.email), item);
	});
	const planned = entries.map((entry, position) =>
		planRow(
			entry,
			inputs[position]?.item ?? position,
			list,
			existing,
			suppressions ?? new Map(),
			lastItems,
		),
	);
	const rows = planned.map((one, position): PlannedRow =>
		'action' in one
			? one
			: { item: inputs[position]?.item ?? position, email: one.email, action: 'created' },
	);
	const wanted = planned.flatMap((one, index) => ('action' in one ? [] : [{ index, entry: one }]));

	const uncertain: SentWrite[] = [];
	await sendInChunks(pool, chunksOf(wanted, list.chunk), async (chunk, isAlone) => {
		const failure = await list.add(chunk.map(({ entry }) => entry));
		if (failure?.isRejected && chunk.length > 1) return true;
		for (const { index } of chunk) {
			const doubt = failure && uncertaintyOf(failure, isAlone);
			if (doubt) uncertain.push({ index, ...doubt });
			else if (failure)
				rows[index] = failedRow(rows[index] as PlannedRow, failure.code, failure.message);
		}
		return false;
	});
	return await verifyWrites(rows, uncertain, {
		readList: async () => {
			const keys = await readKeys(list);
			return ({ email }) => keys.has(list.keyOf(email));
		},
		rerun: 'existing entries are skipped.',
	});
}
