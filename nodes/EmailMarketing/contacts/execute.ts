import { chunksOf, sendInChunks } from '../util/chunks';
import { coerceText } from '../util/coerce';
import { csvText } from '../util/csv';
import type { Pool } from '../util/pool';
import { settleAll } from '../util/settleAll';
import type { SyncApi, WriteFailure } from './api';
import { createCountryLookup, type CountryLookup } from './country';
import type { ContactField, ContactInput } from './fields';
import { createDirectory } from './identify';
import { planContacts } from './plan';
import { readSuppressions, type RespectedLists } from './suppressions';
import type { ListedContact, Plan, PlanInput, PlannedRow, PlanOptions } from './types';
import { effectsIn, failedRow, verifyWrites, type SentWrite } from './verify';

export interface CsvImport {
	/** More new contacts than this are written as one file. */
	above: number;
	/** The columns of the file in their order. */
	columns: ReadonlyArray<{ header: string; field: ContactField }>;
	country: 'id' | 'name';
}

export interface SyncOptions extends PlanOptions, RespectedLists {
	dryRun: boolean;
	/** Read the list once more, so that new contacts are returned with their ids. */
	newIds: boolean;
	/** Contacts per bulk delete. */
	deleteChunk: number;
	csvImport?: CsvImport;
}

/** Nothing was written, because more would have been deleted than allowed. */
export class DeletionLimitError extends Error {
	constructor(reason: string) {
		super(reason);
		this.name = 'DeletionLimitError';
	}
}

/** Reads the country ids of contacts from their details (#22). A contact that is gone has none. */
async function readCountryIds(
	api: SyncApi,
	pool: Pool,
	ids: readonly number[],
): Promise<Map<number, string>> {
	const countryIds = new Map<number, string>();
	await pool.each(ids, async (id) => {
		countryIds.set(id, await api.contactCountry(id));
	});
	return countryIds;
}

/** The ids that the details show for names of countries which are not in the lookup. */
function learnNames(
	contacts: readonly ListedContact[],
	countryIds: ReadonlyMap<number, string>,
	countries: CountryLookup,
): Map<string, string> {
	const learned = new Map<string, string>();
	for (const { id, country } of contacts) {
		const countryId = countryIds.get(id);
		const name = coerceText(country).trim();
		if (name === '' || !countryId || !/^\d+$/.test(countryId)) continue;
		const found = countries.find(name);
		if ('problem' in found && !found.ambiguous) learned.set(name, countryId);
	}
	return learned;
}

/** Reads each list once, and the details of a contact only where the list is not enough, and plans. */
async function readAndPlan(
	items: readonly ContactInput[],
	api: SyncApi,
	options: SyncOptions,
	pool: Pool,
): Promise<Plan> {
	const reads = [api.listContacts(), readSuppressions(api, options), api.lookup()] as const;
	const [contacts, suppressions, lookup] = await settleAll(reads);
	const countries = createCountryLookup(lookup);
	const input: PlanInput = { items, contacts, suppressions, countries, options };
	const plan = planContacts(input);
	if (plan.detailsNeeded.length === 0) return plan;
	const countryIds = await readCountryIds(api, pool, plan.detailsNeeded);
	const learned = learnNames(contacts, countryIds, countries);
	return planContacts({
		...input,
		countries: createCountryLookup(lookup, learned),
		countryIds,
	});
}

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
class Executor {
	private readonly sent: SentWrite[] = [];
	private readonly rows: PlannedRow[];
	private readonly api: SyncApi;
	private readonly options: SyncOptions;
	private readonly pool: Pool;

	constructor(rows: readonly PlannedRow[], api: SyncApi, options: SyncOptions, pool: Pool) {
		this.rows = [...rows];
		this.api = api;
		this.options = options;
		this.pool = pool;
	}

	async run(): Promise<PlannedRow[]> {
		const { csvImport } = this.options;
		const creates = this.indexesOf('created');
		const imports = csvImport !== undefined && creates.length > csvImport.above;
		const singles = [...this.indexesOf('updated'), ...(imports ? [] : creates)];
		await this.pool.each(singles, async (index) => await this.write(index));
		if (imports) await this.importAll(creates, csvImport);
		await this.removeAll(this.indexesOf('deleted'));
		this.pool.check();
		return await this.verify();
	}

	private indexesOf(action: PlannedRow['action']): number[] {
		return this.rows.flatMap((row, index) => (row.action === action ? [index] : []));
	}

	private row(index: number): PlannedRow {
		return this.rows[index] as PlannedRow;
	}

	private record(index: number, failure: WriteFailure | undefined): void {
		if (failure?.effect === 'none') {
			this.rows[index] = failedRow(this.row(index), failure.message);
		} else {
			this.sent.push({ index, uncertain: failure?.message });
		}
	}

	private async write(index: number): Promise<void> {
		const { body, contactId } = this.row(index);
		if (!body) return;
		const failure =
			contactId === undefined
				? await this.api.create(body)
				: await this.api.update(contactId, body);
		this.record(index, failure);
	}

	private async importAll(indexes: number[], csvImport: CsvImport): Promise<void> {
		this.pool.check();
		const rows = indexes.map((index) => this.row(index));
		const csv = csvOf(rows, csvImport);
		const failure = await this.api.uploadCsv(this.options.contactTypeId, csv);
		for (const index of indexes) {
			if (failure?.effect === 'none') this.record(index, failure);
			else this.sent.push({ index, uncertain: failure?.message ?? '', imported: true });
		}
	}

	/** One contact that is gone makes the service refuse a whole chunk (#25): its contacts go one by one (#24). */
	private async removeAll(indexes: number[]): Promise<void> {
		const chunks = chunksOf(indexes, this.options.deleteChunk);
		await sendInChunks(this.pool, chunks, async (chunk, isAlone) => {
			const ids = chunk.map((index) => this.row(index).contactId ?? 0);
			const failure = isAlone ? await this.api.remove(ids[0] ?? 0) : await this.api.removeMany(ids);
			if (failure?.isRejected && chunk.length > 1) return true;
			for (const index of chunk) this.record(index, failure);
			return false;
		});
	}

	private async verify(): Promise<PlannedRow[]> {
		const { newIds, contactTypeId } = this.options;
		return await verifyWrites(this.rows, this.sent, {
			readList: async () =>
				effectsIn(createDirectory(await this.api.listContacts(), contactTypeId)),
			rerun: 'existing contacts are not written twice.',
			needsId: ({ action }) => newIds && action === 'created',
		});
	}
}

/**
 * Makes the service hold what the input says, with one read of each list and only the writes that are needed. No
 * write that may have succeeded is repeated; it is looked up in the list before it is called failed.
 *
 * @returns the outcome for each item and each contact that was to be deleted, and the plan
 * @throws DeletionLimitError before any write; Cancelled; what the first reads throw
 */
export async function syncContacts(
	items: readonly ContactInput[],
	api: SyncApi,
	options: SyncOptions,
	pool: Pool,
): Promise<{ rows: PlannedRow[]; plan: Plan }> {
	const plan = await readAndPlan(items, api, options, pool);
	const { rows, deletionLimit } = plan;
	if (options.dryRun) {
		return { rows: deletionLimit === undefined ? rows : withheld(rows, deletionLimit), plan };
	}
	if (deletionLimit !== undefined) throw new DeletionLimitError(deletionLimit);
	pool.check();
	return { rows: await new Executor(rows, api, options, pool).run(), plan };
}

const withheld = (rows: readonly PlannedRow[], deletionLimit: string): PlannedRow[] =>
	rows.map((row) =>
		row.action === 'deleted'
			? { ...row, reason: `${row.reason}; stopped by the deletion limit: ${deletionLimit}` }
			: row,
	);
