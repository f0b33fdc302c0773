import type { IDataObject, INode } from 'n8n-workflow';

import { removal } from '../../../scripts/lib/workflow-json.ts';
import type { Entry } from '../../../sandbox/journal.ts';
import type { Contact } from '../../../sandbox/model.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import type { Settings } from '../../../sandbox/settings.ts';
import { runNode, type Execution, type Outcome } from '../engine';
import { asIfBothMethods } from '../readings/underReading';
import { startEmptySandbox } from '../startSandbox';

export const GERMANY = 85;
export const AUSTRIA = 15;
export const TYPE = 21;

const NOW = Date.parse('2026-03-02T10:00:00Z');

type SyncOptions = IDataObject & Partial<ReturnType<typeof removal>>;

/** A sandbox with two contact types, and the contacts that a test adds. */
export class Account {
	readonly sandbox: Sandbox;

	constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
	}

	get state() {
		return this.sandbox.state;
	}

	reset(): void {
		this.state.reset('empty', []);
		this.state.clock.freeze(true);
		this.state.clock.set(NOW);
		this.state.tables.contactTypes.add({ id: TYPE, name: 'Customers' }, NOW);
		this.state.tables.contactTypes.add({ id: 22, name: 'Others' }, NOW);
	}

	add(email: string, fields: Partial<Contact> = {}): Contact {
		const given = { contact_type_id: TYPE, country: GERMANY, email, ...fields };
		return this.state.tables.contacts.add(given, NOW);
	}

	unsubscribe(email_address: string, unsubscribe_groups_id: number | null = null): void {
		const table = this.state.tables;
		if (unsubscribe_groups_id === null) table.globalUnsubscribes.add({ email_address }, NOW);
		else table.groupRecipients.add({ email_address, unsubscribe_groups_id }, NOW);
	}

	contact(email: string): Contact | undefined {
		return this.state.tables.contacts.all().find((contact) => contact.email === email);
	}

	emails(): string[] {
		const contacts = this.state.tables.contacts.all();
		return contacts.flatMap(({ email, deleted_at: deletedAt }) => (deletedAt ? [] : [email]));
	}

	async run(
		parameters: IDataObject,
		items: IDataObject[],
		node: Partial<INode> = {},
		workflow: Partial<Pick<Execution, 'mode' | 'staticData' | 'baseUrl'>> = {},
	): Promise<Outcome> {
		const options = parameters.options as SyncOptions | undefined;
		return await runNode({
			baseUrl: this.sandbox.baseUrl,
			...workflow,
			parameters: {
				resource: 'contact',
				operation: 'upsert',
				contactTypeId: { __rl: true, mode: 'id', value: String(TYPE) },
				fields: { mappingMode: 'autoMapInputData', value: null },
				...parameters,
				options: {
					...options,
					// There is no earlier run that could have added them, or missed them.
					...removal({ onlyAddedBySync: false, removeAfter: 1, ...options?.removal?.rules }),
				},
			},
			items: items.map((json) => ({ json })),
			node,
		});
	}

	private entries(wanted: (entry: Entry) => boolean): Entry[] {
		return asIfBothMethods(this.state.journal.entries).filter(wanted);
	}

	/** Requests that change something, with what they sent. */
	writes(): Array<[call: string, fields: unknown]> {
		return this.entries(({ method }) => method !== 'GET').map(({ method, path, query, body }) => [
			`${method} ${path}`,
			body ?? query,
		]);
	}

	reads(): string[] {
		return this.entries(({ method }) => method === 'GET').map(({ path }) => path);
	}

	violations(): string[] {
		return this.state.journal.violations.map(({ path, rule, detail }) =>
			[path, rule, detail].join(' '),
		);
	}
}

/**
 * One account per test file, emptied before each test; no test may break the rules of the reference.
 *
 * @param relied settings that the tests of the file rely on, under whichever reading they run
 */
export function useAccount(relied: Partial<Settings> = {}): { account: Account } {
	const holder = {} as { account: Account };
	beforeAll(async () => {
		holder.account = new Account(await startEmptySandbox(relied));
	});
	beforeEach(() => holder.account.reset());
	afterEach(() => expect(holder.account.violations()).toEqual([]));
	afterAll(async () => await holder.account.sandbox.close());
	return holder;
}

/** What n8n shows above the output. */
export const hints = ({ run }: Outcome) =>
	run.data.resultData.runData['Email Marketing']?.[0]?.hints;

const LEDGER = ['runId', 'at', 'startedAt', 'durationMs', 'requests', 'contactTypeId'];

/** The JSON of each item that was returned, without what makes it a row of a ledger (see ledger.test.ts). */
export const json = ({ items }: Outcome) =>
	items.map((item) =>
		Object.fromEntries(Object.entries(item.json).filter(([key]) => !LEDGER.includes(key))),
	);
