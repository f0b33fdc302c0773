import type { Pool } from '../../util/pool';
import { sameText } from '../../util/values';
import type { SyncPort, WriteFailure } from '../contacts/syncPort';
import { differingFields, otherValues } from './asSent';
import { TEXT_FIELDS } from '../contacts/fields';
import {
	chooseTrial,
	createImportFilter,
	createTraits,
	filesOf,
	type ImportFile,
	type NewContact,
	type TraitsOf,
} from './importFile';
import { findImported, misplaced, problemOf, type Finding } from './importFindings';
import type { Create } from './judgeCreate';
import type { CsvImport } from './syncOptions';
import type { ClearedBody, ListedContact, PlannedRow } from '../contacts/types';
import { messageOf } from '../contacts/verify';

/** An import that has succeeded may go on for a while: whether it does is not shown (21). */
export const SECOND_LOOK_MS = 5_000;

export interface ImporterOptions {
	api: SyncPort;
	pool: Pool;
	csvImport: CsvImport;
	contactTypeId: number;
	/** All contacts of the account before the run. */
	before: readonly ListedContact[];
	/**
	 * Takes what became of a contact, for the list that is read after all writes.
	 *
	 * @param failure why the file failed
	 * @param details what the list has shown of the contact
	 */
	record: (
		index: number,
		failure: WriteFailure | undefined,
		details: Partial<Pick<Create, 'problem' | 'note' | 'updateProblem'>>,
	) => void;
}

export interface Imported {
	/** Rows whose contacts were certainly not imported: they are to be created one by one. */
	left: number[];
	/** Why contacts are created one by one that could have been in a file, as sentences. */
	notes: string[];
}

const isUnreachable = (failure: WriteFailure | undefined): boolean =>
	failure?.effect === 'none' && !failure.isRejected;

const isRefused = (failure: WriteFailure | undefined): boolean =>
	failure?.effect === 'none' && failure.isRejected;

/**
 * The values that the contact has, with those that it was to have. A value that is in another field instead of its own
 * is removed there.
 */
function completed(contact: ListedContact, row: PlannedRow, body: ClearedBody) {
	const lacking = differingFields(contact, row).flatMap((field) => [
		body[field] ?? '',
		row.changes?.[field]?.to ?? '',
	]);
	const current = TEXT_FIELDS.flatMap((field) => {
		const value = contact[field] ?? '';
		if (value.trim() === '') return [];
		return [[field, lacking.some((text) => sameText(text, value)) ? '' : value] as const];
	});
	return { ...Object.fromEntries(current), ...body };
}

/**
 * Creates contacts by files (21). How the service reads them is not shown, so a trial goes first: a few contacts that
 * have all that the others have. Only what came out of it exactly as planned is imported; the others are left.
 */
export class Importer {
	private readonly options: ImporterOptions;
	private readonly left: NewContact[] = [];
	private problem: string | undefined;

	constructor(options: ImporterOptions) {
		this.options = options;
	}

	/** @throws Cancelled */
	async run(contacts: readonly NewContact[]): Promise<Imported> {
		const { csvImport, before } = this.options;
		const fits = createImportFilter(csvImport, before);
		const importable = contacts.filter(fits);
		const all = { left: contacts.map(({ index }) => index), notes: [] };
		if (importable.length <= csvImport.above) return all;
		const traitsOf = createTraits(importable);
		const [trial] = filesOf(chooseTrial(importable, traitsOf), csvImport);
		if (!trial) return all;
		const proven = await this.prove(trial, traitsOf);
		const rest = importable.filter((contact) => !trial.contacts.includes(contact));
		const isProven = (contact: NewContact) => traitsOf(contact).every((one) => proven.has(one));
		this.left.push(...rest.filter((contact) => !isProven(contact)));
		await this.importFiles(rest.filter(isProven));
		const { problem, left } = this;
		const isTold = problem !== undefined && left.length > 0;
		const note = `New contacts sent one by one instead of as a file: ${left.length}. ${problem}`;
		const others = contacts.filter((contact) => !fits(contact));
		return { left: [...others, ...left].map(({ index }) => index), notes: isTold ? [note] : [] };
	}

	/** @returns the traits that the trial has shown to be kept; none if it has shown nothing */
	private async prove(file: ImportFile, traitsOf: TraitsOf): Promise<Set<string>> {
		const { contacts: trial } = file;
		const failure = await this.upload(file);
		this.problem = failure?.problem;
		if (isUnreachable(failure)) {
			this.left.push(...trial);
			return new Set();
		}
		// What it did shows the list that is read after all writes.
		if (failure?.effect === 'unknown') {
			for (const { index } of trial) this.options.record(index, failure, {});
			return new Set();
		}
		const shown = await this.look(trial, failure);
		if (!shown) return new Set();
		const { findings, hasOtherChanges } = shown;
		if (failure) {
			this.keepFound(findings, failure);
			return new Set();
		}
		if (hasOtherChanges) {
			this.problem ??= 'Other contacts were added, changed or removed during the trial import';
		}
		const good: NewContact[] = [];
		for (const finding of findings) {
			const problem = problemOf(finding);
			this.problem ??= problem;
			if (problem === undefined) good.push(finding.contact);
			await this.settle(finding);
		}
		return new Set(hasOtherChanges ? [] : good.flatMap(traitsOf));
	}

	private async upload({ text, contacts }: ImportFile): Promise<WriteFailure | undefined> {
		const { api, pool, contactTypeId } = this.options;
		const addresses = contacts.flatMap(({ row }) => row.body?.email ?? []);
		return await pool.run(async () => await api.uploadCsv(contactTypeId, text, addresses));
	}

	/** Reads the list, and once more a little later if the trial is not in it. */
	private async look(contacts: NewContact[], failure: WriteFailure | undefined) {
		const { api, pool, before } = this.options;
		const read = async () => findImported(contacts, before, await api.listContacts());
		try {
			const shown = await read();
			const isWhole = shown.findings.every(({ found }) => found.length > 0);
			if (isWhole || failure) return shown;
			await api.wait(SECOND_LOOK_MS);
			pool.check();
			return await read();
		} catch (error) {
			pool.check();
			this.problem ??= `The list could not be read after the trial import (${messageOf(error)})`;
			const details = failure ? { problem: failure.problem } : {};
			for (const { index } of contacts) this.options.record(index, undefined, details);
			return undefined;
		}
	}

	/** After a file that was refused: what is not in the list was not imported. */
	private keepFound(findings: readonly Finding[], { problem }: WriteFailure): void {
		for (const { contact, found } of findings) {
			if (found.length === 0) this.left.push(contact);
			else this.options.record(contact.index, undefined, { problem });
		}
	}

	/** Gives a contact of the trial the values that it lacks: it is new, and the only one with its address. */
	private async settle({ contact, found }: Finding): Promise<void> {
		const { api, pool, record } = this.options;
		const { index, row } = contact;
		const { body } = row as PlannedRow & { body: ClearedBody };
		const [first, ...more] = found;
		const isPlaced = first && Number(first.contact_type_id) === body.contact_type_id;
		if (first && !isPlaced) {
			const advice = 'Move it to this contact type, or delete it';
			return record(index, undefined, { problem: `${misplaced(first)}. ${advice}` });
		}
		const difference = first && more.length === 0 ? otherValues(first, row) : '';
		if (!first || difference === '') return record(index, undefined, {});
		const failure = await pool.run(
			async () => await api.update(first.id, completed(first, row, body)),
		);
		record(index, undefined, {
			note: `${difference}, which were then updated`,
			updateProblem: failure?.message,
		});
	}

	private async importFiles(contacts: NewContact[]): Promise<void> {
		const refused: NewContact[] = [];
		let refusal: WriteFailure | undefined;
		for (const file of filesOf(contacts, this.options.csvImport)) {
			if (refusal) {
				this.left.push(...file.contacts);
				continue;
			}
			const failure = await this.upload(file);
			if (isRefused(failure)) {
				refusal = failure;
				refused.push(...file.contacts);
				continue;
			}
			for (const { index } of file.contacts) this.options.record(index, failure, {});
		}
		if (!refusal) return;
		this.problem ??= refusal.problem;
		const shown = await this.look(refused, refusal);
		if (shown) this.keepFound(shown.findings, refusal);
	}
}
