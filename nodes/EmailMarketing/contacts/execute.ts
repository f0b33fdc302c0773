import { coerceText } from '../util/coerce';
import { settleAll } from '../util/settleAll';
import type { SyncApi, SuppressedAddress, WriteFailure } from './api';
import { createCountryLookup, type CountryLookup } from './country';
import { csvText } from '../util/csv';
import type { ContactField, ContactInput } from './fields';
import type { Pool } from '../util/pool';
import { planContacts } from './plan';
import { settle, type Written } from './verify';
import type { ListedContact, Plan, PlanInput, PlannedRow, PlanOptions, Suppression } from './types';
import { addressKey } from '../util/values';

export interface CsvImport {
	/** More new contacts than this are written as one file. */
	above: number;
	/** The columns of the file in their order. */
	columns: ReadonlyArray<{ header: string; field: ContactField }>;
	country: 'id' | 'name';
}

export interface SyncOptions extends PlanOptions {
	globalUnsubscribes: boolean;
	/** Unsubscribe groups whose recipients are suppressed too. */
	unsubscribeGroupIds: readonly number[];
	dryRun: boolean;
	/** Read the list once more, so that new contacts come out with their ids. */
	newIds: boolean;
	/** Contacts per bulk delete. */
	deleteChunk: number;
	csvImport?: CsvImport;
}

/** Nothing was written, because more would have been deleted than allowed. */
export class DeletionLimitError extends Error {
	constructor(reason: string) {
		super(reason);
		this.name = 'BrakeError';
	}
}

async function readSuppressions(
	api: SyncApi,
	options: SyncOptions,
): Promise<Map<string, Suppression>> {
	const lists: Array<Promise<{ name: string; entries: SuppressedAddress[] }>> = [];
	const add = (name: string, reading: Promise<SuppressedAddress[]>) =>
		lists.push(reading.then((entries) => ({ name, entries })));
	if (options.globalUnsubscribes) add('Global Unsubscribes', api.listGlobalUnsubscribes());
	for (const id of options.unsubscribeGroupIds) {
		add(`Unsubscribe Group ${id}`, api.listGroupRecipients(id));
	}
	const suppressions = new Map<string, Suppression>();
	for (const { name, entries } of await settleAll(lists)) {
		for (const { email_address, created_at } of entries) {
			const key = addressKey(email_address);
			const known = suppressions.get(key);
			if (!known || created_at < known.date)
				suppressions.set(key, { date: created_at, list: name });
		}
	}
	return suppressions;
}

/** Reads the details of contacts whose country the list does not tell. A contact that is gone has none. */
async function readCountries(
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

/** The ids that details tell for country names which the lookup does not have. */
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

/**
 * Reads what is there, once, and plans.
 *
 * @param items what the input says
 * @param api the service
 * @param options what to do
 * @param pace lets the reads of details out, which are needed only where the list is not enough
 * @returns the plan, and the contacts as they are now
 * @throws what the reads throw
 */
export async function readAndPlan(
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
	const countryIds = await readCountries(api, pool, plan.detailsNeeded);
	const learned = learnNames(contacts, countryIds, countries);
	return planContacts({
		...input,
		countries: createCountryLookup(lookup, learned),
		countryIds,
	});
}

function failedRow(row: PlannedRow, reason: string): PlannedRow {
	const { item, email, contactId } = row;
	return {
		...(item !== undefined && { item }),
		action: 'failed',
		email,
		...(contactId !== undefined && { contactId }),
		reason,
	};
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

/** Writes a plan, and keeps what became of each row. */
class Executor {
	private readonly written: Written[] = [];
	private readonly api: SyncApi;
	private readonly options: SyncOptions;
	private readonly pool: Pool;
	private readonly rows: PlannedRow[];

	constructor(rows: PlannedRow[], api: SyncApi, options: SyncOptions, pool: Pool) {
		this.rows = rows;
		this.api = api;
		this.options = options;
		this.pool = pool;
	}

	async run(): Promise<PlannedRow[]> {
		const of = (action: PlannedRow['action']) =>
			this.rows.flatMap((row, index) => (row.action === action ? [index] : []));
		const creates = of('created');
		const { csvImport } = this.options;
		const imports = csvImport !== undefined && creates.length > csvImport.above;
		await this.pool.each([...of('updated'), ...(imports ? [] : creates)], async (index) => {
			await this.write(index);
		});
		if (imports) await this.importAll(creates, csvImport);
		await this.removeAll(of('deleted'));
		this.pool.check();
		return await settle(this.rows, this.written, this.api, this.options);
	}

	private row(index: number): PlannedRow {
		return this.rows[index] as PlannedRow;
	}

	private done(index: number, failure: WriteFailure | undefined): void {
		if (failure?.effect === 'none') {
			this.rows[index] = failedRow(this.row(index), failure.message);
		} else {
			this.written.push({ index, ...(failure && { doubt: failure.message }) });
		}
	}

	private async write(index: number): Promise<void> {
		const { body, contactId } = this.row(index);
		if (!body) return;
		this.done(
			index,
			contactId === undefined
				? await this.api.create(body)
				: await this.api.update(contactId, body),
		);
	}

	private async importAll(indexes: number[], csvImport: CsvImport): Promise<void> {
		this.pool.check();
		const csv = csvOf(
			indexes.map((index) => this.row(index)),
			csvImport,
		);
		const failure = await this.api.uploadCsv(this.options.contactTypeId, csv);
		for (const index of indexes) {
			if (failure?.effect === 'none') this.done(index, failure);
			else this.written.push({ index, doubt: failure?.message ?? '', imported: true });
		}
	}

	private async removeAll(indexes: number[]): Promise<void> {
		const chunks: number[][] = [];
		for (let start = 0; start < indexes.length; start += this.options.deleteChunk) {
			chunks.push(indexes.slice(start, start + this.options.deleteChunk));
		}
		const refused: number[] = [];
		await this.pool.each(chunks, async (chunk) => {
			const ids = chunk.map((index) => this.row(index).contactId ?? 0);
			const failure = await this.api.removeMany(ids);
			if (failure?.isRejected && chunk.length > 1) refused.push(...chunk);
			else for (const index of chunk) this.done(index, failure);
		});
		// One contact that is gone makes the service refuse a whole chunk (#25): the rest goes one by one (#24).
		await this.pool.each(refused, async (index) => {
			this.done(index, await this.api.remove(this.row(index).contactId ?? 0));
		});
	}
}

function holdBack(rows: PlannedRow[], brake: string): PlannedRow[] {
	return rows.map((row) =>
		row.action === 'deleted' ? { ...row, reason: `${row.reason}; held back: ${brake}` } : row,
	);
}

/**
 * Makes the service hold what the input says, with one read of each list and only the writes that are needed. No
 * write that may have been carried out is repeated; it is looked up in the list before it is called failed.
 *
 * @param items what the input says
 * @param api the service
 * @param options what to do
 * @param pace how fast
 * @returns what became of each item and of each contact that was to be deleted, and the plan
 * @throws BrakeError before any write; Cancelled; what the first reads throw
 */
export async function syncContacts(
	items: readonly ContactInput[],
	api: SyncApi,
	options: SyncOptions,
	pool: Pool,
): Promise<{ rows: PlannedRow[]; plan: Plan }> {
	const plan = await readAndPlan(items, api, options, pool);
	if (options.dryRun) {
		return { rows: plan.brake === undefined ? plan.rows : holdBack(plan.rows, plan.brake), plan };
	}
	if (plan.brake !== undefined) throw new DeletionLimitError(plan.brake);
	pool.check();
	return { rows: await new Executor(plan.rows, api, options, pool).run(), plan };
}
