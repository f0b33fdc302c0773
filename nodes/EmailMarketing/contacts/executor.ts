import { chunksOf, sendInChunks } from '../util/chunks';
import { csvText } from '../util/csv';
import { addressKey } from '../util/email';
import type { Pool } from '../util/pool';
import type { SuppressedAddress, SyncApi, WriteFailure } from './api';
import { CONTACT_FIELDS } from './fields';
import { createDirectory, type Directory } from './identify';
import type { Create } from './settle';
import { RERUN_CONTACTS, settleCreates } from './settleCreates';
import type { CsvImport, SyncOptions } from './syncOptions';
import type { PlannedRow } from './types';
import { effectsIn, failedRow, verifyWrites, type HasEffect, type SentWrite } from './verify';

const now = (): string => new Date().toISOString();
const ALL_FIELDS = new Set(CONTACT_FIELDS);

function csvOf(rows: readonly PlannedRow[], { columns, country }: CsvImport): string {
	const lines = rows.map(({ body, changes }) =>
		columns.map(({ field }) =>
			field === 'country' && country === 'name' ? changes?.country?.to : body?.[field],
		),
	);
	const header = columns.map((column) => column.header);
	return csvText(header, lines, { spreadsheetSafe: false });
}

/** Writes a plan, and records what became of each row. */
export class Executor {
	/** Writes to contacts that were there before the run. */
	private readonly sent: SentWrite[] = [];
	/** By index of the row. */
	private readonly creates = new Map<number, Create>();
	private readonly rows: PlannedRow[];
	private readonly api: SyncApi;
	private readonly options: SyncOptions;
	private readonly pool: Pool;
	private readonly idsBefore: readonly number[];

	/** @param idsBefore IDs of all contacts of the account that the plan is based on */
	constructor(
		rows: readonly PlannedRow[],
		api: SyncApi,
		options: SyncOptions,
		pool: Pool,
		idsBefore: readonly number[],
	) {
		this.rows = [...rows];
		this.api = api;
		this.options = options;
		this.pool = pool;
		this.idsBefore = idsBefore;
	}

	async run(): Promise<PlannedRow[]> {
		const { csvImport } = this.options;
		const creates = this.indexesOf('created');
		const imports = csvImport !== undefined && creates.length > csvImport.above;
		const singles = [...this.indexesOf('updated'), ...(imports ? [] : creates)];
		await this.pool.each(singles, async (index) => await this.write(index));
		if (imports) await this.importAll(creates, csvImport);
		await this.pool.each(this.indexesOf('moved'), async (index) => await this.write(index));
		await this.addAllToGroup(this.indexesOf('addedToGroup'));
		await this.removeAll(this.indexesOf('deleted'));
		this.pool.check();
		const verified = await this.verify();
		const at = now();
		return verified.map((row, index) => (row === this.row(index) ? row : { ...row, at }));
	}

	private indexesOf(action: PlannedRow['action']): number[] {
		return this.rows.flatMap((row, index) => (row.action === action ? [index] : []));
	}

	private row(index: number): PlannedRow {
		return this.rows[index] as PlannedRow;
	}

	private fail(index: number, { message }: WriteFailure): void {
		this.rows[index] = { ...failedRow(this.row(index), message), at: now() };
	}

	private record(index: number, failure: WriteFailure | undefined): void {
		if (failure?.effect === 'none') return this.fail(index, failure);
		this.rows[index] = { ...this.row(index), at: now() };
		this.sent.push({ index, uncertain: failure?.message });
	}

	private async write(index: number): Promise<void> {
		const { body, contactId } = this.row(index);
		if (!body) return;
		if (contactId !== undefined) {
			return this.record(index, await this.api.update(contactId, body));
		}
		const failure = await this.api.create(body);
		const isUncertain = failure?.effect === 'unknown';
		this.recordCreate(index, failure, isUncertain ? 'lost' : 'succeeded', ALL_FIELDS);
	}

	/** @param answer unless the service refused it */
	private recordCreate(
		index: number,
		failure: WriteFailure | undefined,
		answer: 'succeeded' | 'lost' | 'imported',
		fields: Create['fields'],
	): void {
		const row = this.row(index);
		const isRefused = failure?.effect === 'none';
		if (!isRefused || failure.mayBeTaken) {
			const problem = failure?.message ?? '';
			this.creates.set(index, { row, answer: isRefused ? 'refused' : answer, problem, fields });
		}
		if (isRefused) this.fail(index, failure);
		else this.rows[index] = { ...row, at: now() };
	}

	private async importAll(indexes: number[], csvImport: CsvImport): Promise<void> {
		this.pool.check();
		const rows = indexes.map((index) => this.row(index));
		const csv = csvOf(rows, csvImport);
		const failure = await this.api.uploadCsv(this.options.contactTypeId, csv);
		const fields = new Set(csvImport.columns.map(({ field }) => field));
		for (const index of indexes) this.recordCreate(index, failure, 'imported', fields);
	}

	/** One contact that is gone makes the service refuse a whole chunk (#25): its contacts go one by one (#24). */
	private async removeAll(indexes: number[]): Promise<void> {
		const chunks = chunksOf(indexes, this.options.deleteChunk);
		await sendInChunks(this.pool, chunks, async (chunk, isAlone) => {
			const ids = chunk.map((index) => this.row(index).contactId ?? 0);
			const failure = isAlone ? await this.api.remove(ids[0] ?? 0) : await this.api.removeMany(ids);
			// Another run may have removed it since the list was read.
			const isGone = chunk.length === 1 && failure?.isNotFound === true;
			return this.recordChunk(chunk, isGone ? undefined : failure);
		});
	}

	private async addAllToGroup(indexes: number[]): Promise<void> {
		const { missing, addressChunk } = this.options;
		if (missing.kind !== 'addToUnsubscribeGroup') return;
		await sendInChunks(this.pool, chunksOf(indexes, addressChunk), async (chunk) => {
			const addresses = chunk.map((index) => this.row(index).email.trim());
			const failure = await this.api.addToGroup(missing.unsubscribeGroupId, addresses);
			return this.recordChunk(chunk, failure);
		});
	}

	/** @returns whether the service rejected several at once, so that each is to be sent alone */
	private recordChunk(chunk: readonly number[], failure: WriteFailure | undefined): boolean {
		if (failure?.isRejected && chunk.length > 1) return true;
		for (const index of chunk) this.record(index, failure);
		return false;
	}

	/** The list is read once, also where both updates and creates depend on it. */
	private async verify(): Promise<PlannedRow[]> {
		const { contactTypeId, missing } = this.options;
		const isInGroup = ({ index }: SentWrite) => this.row(index).action === 'addedToGroup';
		let reading: Promise<Directory> | undefined;
		const readDirectory = async () =>
			await (reading ??= this.api
				.listContacts()
				.then((contacts) => createDirectory(contacts, contactTypeId)));
		const inList = await verifyWrites(
			this.rows,
			this.sent.filter((write) => !isInGroup(write)),
			{ readList: async () => effectsIn(await readDirectory()), rerun: RERUN_CONTACTS },
		);
		const settled = await settleCreates(this.creates, {
			readDirectory,
			idsBefore: this.idsBefore,
			api: this.api,
			pool: this.pool,
		});
		const rows = inList.map((row, index) => settled.get(index) ?? row);
		if (missing.kind !== 'addToUnsubscribeGroup') return rows;
		return await verifyWrites(rows, this.sent.filter(isInGroup), {
			readList: async () =>
				membersIn(await this.api.listGroupRecipients(missing.unsubscribeGroupId)),
			rerun: 'who is in the group already is not added twice.',
		});
	}
}

function membersIn(recipients: readonly SuppressedAddress[]): HasEffect {
	const members = new Set(recipients.map(({ email_address: address }) => addressKey(address)));
	return ({ email }) => members.has(addressKey(email));
}
