import type { IDataObject } from 'n8n-workflow';

import type { Fields } from '../service/form';
import { emptyExpression, mayBeEmpty } from '../params/givenOption';
import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { isEmailKey, recordId, utr } from '../params/validators';
import type { Inputs } from '../params/validators';
import { locatorValue } from '../params/values';
import { isPresent } from '../records/recordKind';
import type { Parent, RecordKind } from '../records/recordKind';
import { coerceText, isId } from '../util/coerce';
import { addressKey, spellingKey } from '../util/email';
import { groupBy } from '../util/groups';
import { labelOf } from '../util/labels';
import { truncateList } from '../util/text';
import type { Draft, Lookup } from './operation';

/** The records of a list by key and by address. */
interface RecordIndex {
	keys: ReadonlySet<string>;
	byAddress: ReadonlyMap<string, IDataObject[]>;
}

/** Records that a message names. */
const shownRecords = 3;

/**
 * The lookups that an item needs: of addresses, and of records that must belong to the chosen parent.
 *
 * @throws InvalidInput for an address without the parent that it is looked up in
 */
export function lookupsOf(item: Item, inputs: Inputs, fields: Fields): Lookup[] {
	return Object.entries(inputs).flatMap(([name, input]) => {
		const { source } = input;
		const keys = [fields[name] ?? []].flat();
		if (source === undefined || keys.length === 0) return [];
		const label = input.label ?? labelOf(name);
		const parent = parentOf(item, source);
		const address = keys.find(isEmailKey);
		if (address === undefined && parent === undefined) return [];
		if (source.parent !== undefined && parent === undefined) {
			throw new InvalidInput(
				'parent-required',
				`"${source.parent.label}" is required to find "${label}" by email`,
				`Choose "${source.parent.label}", or enter an ID.`,
			);
		}
		return [{ name, input, label, source, fields, keys, parent }];
	});
}

const inputOf = ({ field, parameter, label }: Parent) =>
	field === 'utr' ? utr(parameter, label) : recordId(parameter, { label });

function parentOf(item: Item, { parent }: RecordKind): Lookup['parent'] {
	if (parent === undefined) return undefined;
	const { parameter, label } = parent;
	const key = inputOf(parent).encode(locatorValue(item.param(parameter, '')), label, item);
	if (typeof key === 'string') return { label, key };
	if (!mayBeEmpty(item, parameter))
		throw emptyExpression(label, 'choose the record by its ID only');
	return undefined;
}

/**
 * Replaces addresses with the IDs of their records, and makes sure that the records belong to the chosen parent. The
 * list is read once per run.
 *
 * @throws InvalidInput if a record is not found, or several have the address
 * @throws ServiceError if the list cannot be read
 */
export async function findRecords(draft: Draft, lookup: Lookup): Promise<void> {
	const { name, keys, fields } = lookup;
	const found = draft.run.ledger.lookupsOf(draft.item.index);
	const open = keys.filter((key) => !found.has(key));
	if (open.length > 0) {
		const index = await readIndex(draft, lookup);
		checkParent(lookup, open, index);
		for (const key of open) found.set(key, isEmailKey(key) ? idsOf(lookup, key, index) : [key]);
	}
	const ids = [...new Set(keys.flatMap((key) => found.get(key) ?? key))];
	fields[name] = Array.isArray(fields[name]) ? ids : ids[0];
}

async function readIndex(draft: Draft, { source, parent }: Lookup): Promise<RecordIndex> {
	const { list, parent: within } = source;
	const query: Fields = parent && within ? { [within.field]: parent.key } : {};
	const name = `index of ${list.path} ${JSON.stringify(query)}`;
	return await draft.run.memoize(name, async () =>
		indexOf(await draft.run.cachedList(draft, list, query), source),
	);
}

function indexOf(records: IDataObject[], kind: RecordKind): RecordIndex {
	const { key, email } = kind;
	const present = records.filter((record) => isPresent(record, kind));
	const addressIn = (record: IDataObject) => email && addressKey(coerceText(record[email]));
	return {
		keys: new Set(present.map((record) => coerceText(record[key]).trim())),
		byAddress: groupBy(present, addressIn),
	};
}

function checkParent({ label, parent }: Lookup, open: string[], { keys }: RecordIndex): void {
	if (parent === undefined) return;
	const strangers = open.filter((key) => !isEmailKey(key) && !keys.has(key));
	if (strangers.length === 0) return;
	throw new InvalidInput(
		'parent-mismatch',
		`"${label}" does not belong to "${parent.label}" ${parent.key}: ${truncateList(strangers, shownRecords)}`,
		`Choose "${label}" from the list again. To choose the record by its ID only, leave "${parent.label}" empty.`,
	);
}

/** Where a record is looked up, for messages; '' if its list belongs to no record. */
const placeOf = ({ parent }: Lookup): string =>
	parent ? ` in "${parent.label}" ${parent.key}` : '';

/**
 * The records with an address. If it is listed in several spellings, the one that is entered is meant. The unsubscribes
 * of an address belong together: an operation on several records deletes all of them.
 */
function idsOf(lookup: Lookup, address: string, index: RecordIndex): string[] {
	const { name, label, source, fields } = lookup;
	const all = index.byAddress.get(addressKey(address)) ?? [];
	const place = placeOf(lookup);
	if (all.length === 0) {
		throw new InvalidInput(
			'email-not-found',
			`"${label}" was not found: no record${place} has the email ${address}`,
			'Check the address, or choose from the list.',
		);
	}
	const textOf = (record: IDataObject) => coerceText(record[source.email ?? '']);
	const same = all.filter((one) => spellingKey(textOf(one)) === spellingKey(address));
	const meant = same.length === 1 && !source.isUnsubscribe ? same : all;
	if (meant.length > 1 && !(source.isUnsubscribe && Array.isArray(fields[name]))) {
		const names = meant.map((one) => nameOf(source, one));
		throw new InvalidInput(
			'email-ambiguous',
			`"${label}" is ambiguous: ${names.length} records${place} have the email ${address}: ${truncateList(names, shownRecords)}`,
			source.isUnsubscribe
				? 'To delete all of them, use "Delete Many" or "Delete Many Recipients" with this email. To delete one of them, enter its ID.'
				: 'Enter the ID of the right record instead of the email.',
		);
	}
	return meant.map((record) => idOf(lookup, address, record));
}

function idOf(lookup: Lookup, address: string, record: IDataObject): string {
	const { label, source } = lookup;
	const place = placeOf(lookup);
	const id = coerceText(record[source.key]).trim();
	if (!isId(id)) {
		throw new InvalidInput(
			'record-without-id',
			`"${label}" cannot be identified: the record${place} with the email ${address} has no valid ID`,
			'Enter the ID of the record instead of the email.',
		);
	}
	return id;
}

function nameOf({ key, twin }: RecordKind, record: IDataObject): string {
	const more = twin?.(record) ?? '';
	return `ID ${coerceText(record[key])}${more && ` (${more})`}`;
}
