import { chunksOf, RECORDS_PER_REQUEST, sendInChunks } from '../../util/chunks';
import { addressKey, spellingKey } from '../../util/email';
import type { Pool } from '../../util/pool';
import type { SuppressedAddress } from '../consent/types';
import type { SyncPort, WriteFailure } from '../contacts/syncPort';
import type { RemovalClearance } from '../contacts/removalClearance';
import { createDirectory, type Directory } from '../contacts/identify';
import { Importer, SECOND_LOOK_MS, type Imported, type ImporterOptions } from './importer';
import type { Create } from './judgeCreate';
import { RERUN_CONTACTS, verifyCreates } from './verifyCreates';
import type { SyncOptions } from './syncOptions';
import type { ListedContact, PlannedRow } from '../contacts/types';
import {
	uncertaintyOf,
	effectsIn,
	failedRow,
	verifyWrites,
	type HasEffect,
	type SentWrite,
} from '../contacts/verify';

const now = (): string => new Date().toISOString();

/** What became of a plan. */
export interface Execution {
	rows: PlannedRow[];
	/** What else to know about the run, as sentences. */
	notes: string[];
}

/** Writes a plan, and records what became of each row. */
export class ContactWriter {
	/** Writes to contacts that were there before the run. */
	private readonly sent: SentWrite[] = [];
	/** By index of the row. */
	private readonly creates = new Map<number, Create>();
	private readonly rows: PlannedRow[];
	private readonly api: SyncPort;
	private readonly options: SyncOptions;
	private readonly pool: Pool;
	private readonly before: readonly ListedContact[];
	private readonly removal: RemovalClearance;

	/**
	 * @param before all contacts of the account that the plan is based on
	 * @param removal for the rows that delete contacts
	 */
	constructor(
		rows: readonly PlannedRow[],
		api: SyncPort,
		options: SyncOptions,
		pool: Pool,
		before: readonly ListedContact[],
		removal: RemovalClearance,
	) {
		this.rows = [...rows];
		this.api = api;
		this.options = options;
		this.pool = pool;
		this.before = before;
		this.removal = removal;
	}

	async run(): Promise<Execution> {
		// First of all, so that whatever else changes in the list is not the work of this run.
		const { left, notes } = await this.importMany(this.indexesOf('created'));
		const singles = [...this.indexesOf('updated'), ...left];
		await this.pool.each(singles, async (index) => await this.write(index));
		await this.pool.each(this.indexesOf('moved'), async (index) => await this.write(index));
		await this.addAllToGroup(this.indexesOf('addedToGroup'));
		await this.removeAll(this.indexesOf('deleted'));
		this.pool.check();
		const verified = await this.verify();
		const at = now();
		const rows = verified.map((row, index) => {
			const known = this.row(index);
			if (row === known) return row;
			const isConfirmed = row.action === known.action && row.reason === known.reason;
			return { ...row, at: isConfirmed ? known.at : at };
		});
		return { rows, notes };
	}

	private async importMany(indexes: number[]): Promise<Imported> {
		const { csvImport, contactTypeId } = this.options;
		if (!csvImport) return { left: indexes, notes: [] };
		const { api, pool, before } = this;
		const importer = new Importer({
			...{ api, pool, csvImport, contactTypeId, before },
			record: (index, failure, details) => this.recordCreate(index, failure, 'imported', details),
		});
		return await importer.run(indexes.map((index) => ({ index, row: this.row(index) })));
	}

	private indexesOf(action: PlannedRow['action']): number[] {
		return this.rows.flatMap((row, index) => (row.action === action ? [index] : []));
	}

	private row(index: number): PlannedRow {
		return this.rows[index] as PlannedRow;
	}

	private fail(index: number, { code, message }: WriteFailure): void {
		this.rows[index] = { ...failedRow(this.row(index), code, message), at: now() };
	}

	private record(index: number, failure: WriteFailure | undefined, isAlone = false): void {
		const doubt = failure && uncertaintyOf(failure, isAlone);
		if (failure && !doubt) return this.fail(index, failure);
		this.rows[index] = { ...this.row(index), at: now() };
		this.sent.push({ index, ...doubt });
	}

	private async write(index: number): Promise<void> {
		const { body, contactId } = this.row(index);
		if (!body) return;
		if (contactId !== undefined) {
			return this.record(index, await this.api.update(contactId, body));
		}
		const failure = await this.api.create(body);
		const isUncertain = failure?.effect === 'unknown';
		this.recordCreate(index, failure, isUncertain ? 'lost' : 'succeeded');
	}

	/** @param answer unless the service refused it */
	private recordCreate(
		index: number,
		failure: WriteFailure | undefined,
		answer: 'succeeded' | 'lost' | 'imported',
		details: Parameters<ImporterOptions['record']>[2] = {},
	): void {
		const row = this.row(index);
		const isRefused = failure?.effect === 'none';
		if (!isRefused || failure.mayBeTaken) {
			const problem = failure?.message ?? '';
			const sent = isRefused ? 'refused' : answer;
			const mayAppear = answer === 'imported' && details.problem === undefined;
			this.creates.set(index, {
				...{ row, answer: sent, code: failure?.code, problem, mayAppear },
				...details,
			});
		}
		if (isRefused) this.fail(index, failure);
		else this.rows[index] = { ...row, at: now() };
	}

	/** One contact that is gone makes the service refuse a whole chunk (25): its contacts go one by one (24). */
	private async removeAll(indexes: number[]): Promise<void> {
		const chunks = chunksOf(indexes, RECORDS_PER_REQUEST);
		await sendInChunks(this.pool, chunks, async (chunk, isAlone) => {
			const ids = chunk.map((index) => this.row(index).contactId ?? 0);
			const failure = isAlone
				? await this.api.remove(ids[0] ?? 0, this.removal)
				: await this.api.removeMany(ids, this.removal);
			// Another run may have removed it since the list was read.
			const isGone = chunk.length === 1 && failure?.isNotFound === true;
			return this.recordChunk(chunk, isGone ? undefined : failure, isAlone);
		});
	}

	private async addAllToGroup(indexes: number[]): Promise<void> {
		const { missing } = this.options;
		if (missing.kind !== 'addToUnsubscribeGroup') return;
		await sendInChunks(
			this.pool,
			chunksOf(indexes, RECORDS_PER_REQUEST),
			async (chunk, isAlone) => {
				const addresses = chunk.map((index) => this.row(index).email.trim());
				const failure = await this.api.addToGroup(missing.unsubscribeGroupId, addresses);
				return this.recordChunk(chunk, failure, isAlone);
			},
		);
	}

	/** @returns whether the service rejected several at once, so that each is to be sent alone */
	private recordChunk(
		chunk: readonly number[],
		failure: WriteFailure | undefined,
		isAlone: boolean,
	): boolean {
		if (failure?.isRejected && chunk.length > 1) return true;
		for (const index of chunk) this.record(index, failure, isAlone);
		return false;
	}

	/** An import that was accepted may have to be waited for. */
	private async readAfterwards(): Promise<Directory> {
		const read = async () =>
			createDirectory(await this.api.listContacts(), this.options.contactTypeId);
		const directory = await read();
		const isLate = [...this.creates.values()].some(
			({ answer, row }) => answer === 'imported' && !directory.byEmail.has(addressKey(row.email)),
		);
		if (!isLate) return directory;
		await this.api.wait(SECOND_LOOK_MS);
		this.pool.check();
		return await read().catch(() => directory);
	}

	/** The list is read once, also where both updates and creates depend on it. */
	private async verify(): Promise<PlannedRow[]> {
		const { missing } = this.options;
		const isInGroup = ({ index }: SentWrite) => this.row(index).action === 'addedToGroup';
		let reading: Promise<Directory> | undefined;
		const readDirectory = async () => await (reading ??= this.readAfterwards());
		const inList = await verifyWrites(
			this.rows,
			this.sent.filter((write) => !isInGroup(write)),
			{ readList: async () => effectsIn(await readDirectory()), rerun: RERUN_CONTACTS },
		);
		const settled = await verifyCreates(this.creates, {
			readDirectory,
			before: this.before,
			api: this.api,
			pool: this.pool,
		});
		const rows = inList.map((row, index) => settled.get(index) ?? row);
		if (missing.kind !== 'addToUnsubscribeGroup') return rows;
		return await verifyWrites(rows, this.sent.filter(isInGroup), {
			readList: async () =>
				membersIn(await this.api.listGroupRecipients(missing.unsubscribeGroupId)),
			rerun: 'addresses already in the group are not added twice.',
		});
	}
}

function membersIn(recipients: readonly SuppressedAddress[]): HasEffect {
	const members = new Set(recipients.map(({ email_address: address }) => spellingKey(address)));
	return ({ email }) => members.has(spellingKey(email));
}
