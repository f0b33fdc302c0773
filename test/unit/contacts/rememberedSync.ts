import type { IDataObject } from 'n8n-workflow';

import {
	PlanLimitError,
	syncContacts,
} from '../../../nodes/EmailMarketing/features/sync/syncContacts';
import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import { REMOVED_IN_SERVICE } from '../../../nodes/EmailMarketing/features/sync/memory/rememberRun';
import { openContext } from '../../../nodes/EmailMarketing/features/sync/syncContext';
import type { SyncOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import type { PlannedRow } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { RunContext } from '../../../nodes/EmailMarketing/run/runContext';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { contact, numbered } from './builders';
import { InMemoryService } from './inMemoryService';
import { runOf } from './syncRun';

export interface RunSettings {
	options: SyncOptions;
	isManual: boolean;
	/** Whether items have external IDs. */
	knowsExternalIdField: boolean;
}

export interface Outcome {
	rows: PlannedRow[];
	/** Whether a limit stopped the run. */
	isStopped: boolean;
}

/** What a state must know, by what the run that left it put out. */
interface Expected {
	/** Address keys of contacts that are not to be created again once they are removed in the service. */
	addresses: ReadonlySet<string>;
	/** By external ID: the contact that had it. */
	externalIds: ReadonlyMap<string, number>;
}

interface Kept {
	staticData: IDataObject;
	expected: Expected;
}

const nothing: Kept = {
	staticData: {},
	expected: { addresses: new Set(), externalIds: new Map() },
};

const asSaved = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data)) as IDataObject;

let processes = 0;
let executions = 0;

/** A sync that is run again and again, with a memory that n8n saves, loses and mixes up. */
export class RememberedSync {
	readonly service: InMemoryService;
	/** All that n8n has saved, oldest first; the last is what the next run begins with. */
	private readonly saved: Kept[] = [nothing];
	/** What the process of n8n has seen, which may be newer than what it is given. */
	private seen = nothing;
	private nodeKey = `process ${++processes}`;
	private readonly account = `key ${processes}`;

	constructor() {
		this.service = new InMemoryService([]);
	}

	/** What the next run must know. */
	get expected(): Expected {
		const provided = this.saved.at(-1) ?? nothing;
		const changes = ({ staticData }: Kept) =>
			(staticData.syncState as { changes: number } | undefined)?.changes;
		// Where n8n provides none, that of the process does not count.
		return (changes(this.seen) ?? 0) > (changes(provided) ?? Infinity)
			? this.seen.expected
			: provided.expected;
	}

	restart(): void {
		this.nodeKey = `process ${++processes}`;
		this.seen = nothing;
	}

	lose(): void {
		this.saved.push(nothing);
	}

	/** Goes back to an earlier state, as when the last of two overlapping executions wins. */
	goBack(count: number): void {
		this.saved.push(this.saved.at(-1 - (count % this.saved.length)) ?? nothing);
	}

	/** Somebody adds a contact in the service. */
	signUp(email: string): void {
		this.service.contacts.push(contact(this.service.newId(), { email }));
	}

	async run(items: MappedContact[], settings: RunSettings): Promise<Outcome> {
		const { options, isManual, knowsExternalIdField } = settings;
		const staticData = asSaved((this.saved.at(-1) ?? nothing).staticData);
		const before = this.expected;
		const isRemembered = options.missing.kind !== 'ignore' || knowsExternalIdField;
		const execution = String(++executions);
		const mode = isManual ? 'manual' : 'trigger';
		const context = openContext(
			{
				...{ staticData, mode, callerMode: mode, nodeKey: this.nodeKey, account: this.account },
				...{
					executionId: execution,
					outerExecutionId: execution,
					runId: `${execution}-0`,
					runIndex: 0,
				},
				...{ executionData: {}, mayRunAgain: false, context: {}, items },
			} as unknown as RunContext,
			{ ...options, ...(knowsExternalIdField && { externalIdField: 'externalId' }) },
		);
		const inputs = numbered(items);
		let rows: PlannedRow[];
		try {
			({ rows } = await syncContacts(inputs, this.service, options, runOf(this.service), context));
		} catch (error) {
			if (!(error instanceof PlanLimitError)) throw error;
			return { rows: [], isStopped: true };
		}
		if (isRemembered && !isManual && !options.dryRun) {
			this.seen = {
				staticData: asSaved(staticData),
				expected: expectedAfter(before, rows, items),
			};
			this.saved.push(this.seen);
		}
		return { rows, isStopped: false };
	}
}

/** What a state must know after a run: at least what the items of that run were about. */
function expectedAfter(
	before: Expected,
	rows: readonly PlannedRow[],
	items: readonly MappedContact[],
): Expected {
	const addresses = new Set<string>();
	const externalIds = new Map(before.externalIds);
	for (const { item, action, email, reason, contactId } of rows) {
		if (item === undefined) continue;
		const isThere = ['created', 'updated', 'unchanged'].includes(action);
		if (isThere || reason === REMOVED_IN_SERVICE) addresses.add(addressKey(email));
		const externalId = items[item]?.externalId;
		if (isThere && typeof externalId === 'string' && externalId !== '') {
			if (contactId === undefined) externalIds.delete(externalId);
			else externalIds.set(externalId, contactId);
		}
	}
	return { addresses, externalIds };
}
