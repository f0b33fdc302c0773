import { notSent } from '../../run/writer/outcome';
import { messageOf, reasonOf, sentenceOf } from '../../run/writer/verify';
import { write } from '../../run/writer/write';
import { isRejected, type Failure } from '../../service/failure';
import { isDeleted } from '../../records/recordKind';
import { coerceText, toJson } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { failedRow, failureOf, uploadRequest } from '../contacts/contactWrites';
import type { ListedContact, PlannedRow } from '../contacts/types';
import { isAsSent, otherCustomFields, otherValues, type Create } from './judge';
import {
	chooseTrial,
	createImportFilter,
	filesOf,
	namesIn,
	type ImportFile,
	type NewContact,
} from './importFile';
import type { CsvImport, WriteOptions } from './types';

/** The service may still work on an import after its response. The reference does not say (21). */
export const SECOND_READ_MS = 5_000;

/** A contact whose response was lost may still appear, so a further try of the node does not create another one. */
export const createKey = ({ item }: PlannedRow): string => `create of item ${item}`;

/** The same for a contact of an uploaded file. */
const importKey = ({ item }: PlannedRow): string => `import of item ${item}`;

interface Imported {
	/** The contacts that may have been imported, by index of the row. They must not be created again. */
	imported: Map<number, Create>;
	/** Why contacts that fit into a file are created one by one, as sentences. */
	notes: string[];
	/** Why the import stopped, as a sentence without a full stop. */
	problem?: string;
}

/**
 * Creates contacts by importing files (21). The reference does not show how the service reads them, so a trial is sent
 * first: a few contacts with all traits of the others. The others are imported only if the trial arrives as planned.
 *
 * @throws Cancelled
 */
export async function importContacts(
	contacts: readonly NewContact[],
	given: WriteOptions,
): Promise<Imported> {
	const { csvImport } = given.options;
	const { ledger } = given.run;
	const imported = new Map<number, Create>();
	if (!csvImport) return { imported, notes: [] };
	for (const { index, row } of contacts) {
		const prior = ledger.priorOutcome(importKey(row));
		if (prior) imported.set(index, createOf(row, failureOf(prior)));
	}
	const fits = contacts
		.filter(({ index, row }) => !imported.has(index) && !ledger.priorOutcome(createKey(row)))
		.filter(createImportFilter(csvImport, given));
	// Contacts without custom fields are imported only if there are many.
	const importable =
		fits.length > csvImport.above ? fits : fits.filter(({ row }) => row.customFields);
	// The same columns in each file: a service may take custom fields by their position.
	const names = namesIn(importable);
	const [trial] = filesOf(chooseTrial(importable, csvImport), csvImport, names);
	if (!trial) return { imported, notes: [] };
	let problem = await importFile(trial, given, imported, true);
	const rest = importable.filter((contact) => !trial.contacts.includes(contact));
	for (const file of filesOf(rest, csvImport, names)) {
		problem ??= await importFile(file, given, imported, false);
	}
	const left = importable.filter(
		({ index, row }) => !imported.has(index) && !needsImport(row, csvImport),
	).length;
	const note = `New contacts sent one by one instead of as a file: ${left}. ${problem}`;
	return { imported, notes: problem !== undefined && left > 0 ? [note] : [], problem };
}

const needsImport = ({ customFields }: PlannedRow, csvImport: CsvImport | undefined): boolean =>
	customFields !== undefined && csvImport?.customFields === 'importOrFail';

/** A new contact that is not imported is created without its custom fields, or fails if they are required. */
export function withoutImport(
	row: PlannedRow,
	csvImport: CsvImport | undefined,
	problem = CANNOT_BE_IMPORTED,
): PlannedRow {
	const { customFields, ...rest } = row;
	if (row.action !== 'created' || !customFields) return row;
	if (needsImport(row, csvImport)) {
		const reason = `The contact was not created, because its custom fields could not be imported. ${problem}`;
		return failedRow(row, 'custom-fields-not-imported', reason);
	}
	const unwritten = customFields.map(([name]) => name);
	return {
		...rest,
		customFieldsNotWritten: [...unwritten, ...(rest.customFieldsNotWritten ?? [])],
	};
}

const CANNOT_BE_IMPORTED =
	'Possible reasons: the account already has this address, the country has no name in the country list, or a value or custom field cannot be written to a file';

/**
 * @param imported receives the contacts of the file that may have been imported
 * @returns why no other file may be sent
 */
async function importFile(
	file: ImportFile,
	given: WriteOptions,
	imported: Map<number, Create>,
	isTrial: boolean,
): Promise<string | undefined> {
	const failure = await upload(file, given);
	const take = ({ index, row }: NewContact, problem?: string) =>
		imported.set(index, createOf(row, failure, problem));
	if (failure?.effect === 'none' && !isRejected(failure)) return sentenceOf(failure);
	// The list that is read after all writes shows the effect of the file.
	if (failure?.effect === 'unknown' || (!failure && !isTrial)) {
		for (const contact of file.contacts) take(contact);
		return failure && isTrial ? sentenceOf(failure) : undefined;
	}
	const refusal = failure && sentenceOf(failure);
	const shown = await findInList(file.contacts, given, failure);
	if (typeof shown === 'string') {
		for (const contact of file.contacts) take(contact, refusal);
		return refusal ?? shown;
	}
	for (const finding of shown.findings) {
		// The service refused the file. A contact that is not in the list was not imported.
		if (failure && finding.found.length === 0) continue;
		take(finding.contact, misplaced(finding) ?? refusal);
	}
	const others = 'Other contacts were added, changed or removed during the trial import';
	const problems = shown.findings.flatMap((finding) => problemOf(finding) ?? []);
	return refusal ?? (shown.hasOtherChanges ? others : problems[0]);
}

async function upload(
	{ text, contacts }: ImportFile,
	{ run, options: { contactTypeId } }: WriteOptions,
): Promise<Failure | undefined> {
	const addresses = contacts.flatMap(({ row }) => row.body?.email ?? []);
	const [outcome = notSent] = await write(
		run,
		[
			{
				part: text,
				keys: contacts.map(({ row }) => importKey(row)),
				prepare: () => uploadRequest(run.client, contactTypeId, text, addresses),
			},
		],
		false,
	);
	return failureOf(outcome);
}

/**
 * Reads the list. If contacts of an accepted file are missing, it reads the list again a little later.
 *
 * @returns the findings, or why the list could not be read, as a sentence without a full stop
 * @throws Cancelled
 */
async function findInList(
	contacts: readonly NewContact[],
	{ reads, run, before }: WriteOptions,
	failure: Failure | undefined,
): Promise<Findings | string> {
	const read = async () => findImported(contacts, before, await reads.listContacts());
	try {
		const shown = await read();
		const isWhole = shown.findings.every(({ found }) => found.length > 0);
		if (isWhole || failure) return shown;
		await reads.wait(SECOND_READ_MS);
		run.pool.check();
		return await read();
	} catch (error) {
		run.pool.check();
		return `The list could not be read after the trial import (${messageOf(error)})`;
	}
}

function createOf(row: PlannedRow, failure: Failure | undefined, problem?: string): Create {
	return {
		row,
		answer: 'imported',
		code: failure?.code,
		problem: problem ?? (failure ? reasonOf(failure) : ''),
		isLost: failure?.effect === 'unknown',
		mayAppear: failure?.effect !== 'none',
	};
}

/** An imported contact with its entries in the list. */
interface Finding {
	contact: NewContact;
	/** New contacts with its address, in any contact type. */
	found: ListedContact[];
}

interface Findings {
	findings: Finding[];
	/** Whether anything else in the list has changed. */
	hasOtherChanges: boolean;
}

function isSame(one: ListedContact, other: ListedContact): boolean {
	const keys = Object.keys(one) as Array<keyof ListedContact>;
	return keys.every((key) => one[key] === other[key] || toJson(one[key]) === toJson(other[key]));
}

const isClear = ({ unclear }: ListedContact) => unclear === undefined;

/** Compares the list before and after an import, without the entries that nobody can tell apart. */
function findImported(
	contacts: readonly NewContact[],
	listedBefore: readonly ListedContact[],
	listedAfter: readonly ListedContact[],
): Findings {
	const [before, after] = [listedBefore.filter(isClear), listedAfter.filter(isClear)];
	const known = new Map(before.map((contact) => [contact.id, contact]));
	const byKey = new Map(
		contacts.map((contact) => [
			addressKey(contact.row.email),
			{ contact, found: [] as ListedContact[] },
		]),
	);
	let unchanged = 0;
	let others = 0;
	for (const contact of after) {
		const old = known.get(contact.id);
		const finding = old ? undefined : byKey.get(addressKey(contact.email));
		if (finding && !isDeleted(contact)) finding.found.push(contact);
		else if (old && isSame(old, contact)) unchanged++;
		else others++;
	}
	const findings = [...byKey.values()];
	return { findings, hasOtherChanges: others > 0 || unchanged < before.length };
}

/** Which contact has appeared in another contact type, as a sentence without a full stop. */
function misplaced({ contact: { row }, found: [first] }: Finding): string | undefined {
	if (!first || Number(first.contact_type_id) === row.body?.contact_type_id) return undefined;
	const type = coerceText(first.contact_type_id);
	return `Contact ${first.id} with this address was added to contact type ${type} during the run, by the import or by someone else`;
}

/** The problem with an imported contact, as a sentence without a full stop; none if it is there once, as planned. */
function problemOf(finding: Finding): string | undefined {
	const { row } = finding.contact;
	const [first, ...more] = finding.found;
	if (!first) return 'The imported contact is not in the list';
	if (more.length > 0) return 'The imported contact is in the list several times';
	const place = misplaced(finding);
	if (place !== undefined || isAsSent(first, row)) return place;
	const other = otherValues(first, row) || otherCustomFields(first, row);
	return other || 'The import stored values that were not in the file';
}
