import type { ServiceRequest, WritingClient } from '../../../nodes/EmailMarketing/service/client';
import { ServiceError, type Failure } from '../../../nodes/EmailMarketing/service/failure';
import { StreamedForm, type FilePart } from '../../../nodes/EmailMarketing/service/form';
import { Ledger } from '../../../nodes/EmailMarketing/run/writer/ledger';
import type { SyncRun } from '../../../nodes/EmailMarketing/features/contacts/contactWrites';
import { onlyRun } from '../../../nodes/EmailMarketing/features/sync/plan/planMissing';
import { syncContacts } from '../../../nodes/EmailMarketing/features/sync/syncContacts';
import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import type { SyncReads } from '../../../nodes/EmailMarketing/features/contacts/syncReads';
import type { ContactBody } from '../../../nodes/EmailMarketing/features/contacts/types';
import type { SyncOptions } from '../../../nodes/EmailMarketing/features/sync/types';
import { Pool, type PoolOptions } from '../../../nodes/EmailMarketing/util/pool';
import { numbered } from './builders';

export type Answer = Failure | undefined;

/** Why a write fails. */
export const refusal = (message: string, more: Partial<Failure> = {}): Failure => ({
	code: 'request-rejected',
	message,
	description: '',
	effect: 'none',
	httpCode: '200',
	...more,
});

export const lost: Failure = {
	code: 'connection-lost',
	message: 'The connection broke off.',
	description: '',
	effect: 'unknown',
};

/** The writes of sync, each with why it fails. */
export interface Writes {
	create(body: ContactBody): Promise<Answer>;
	update(contactId: number, body: ContactBody): Promise<Answer>;
	remove(contactId: number): Promise<Answer>;
	removeMany(contactIds: number[]): Promise<Answer>;
	addToGroup(groupId: number, addresses: string[]): Promise<Answer>;
	uploadCsv(contactTypeId: number, csv: string): Promise<Answer>;
}

function formOf(body: ServiceRequest['body']): Map<string, string | FilePart> {
	if (!(body instanceof StreamedForm)) throw new Error('A file was expected');
	return new Map(body.entries());
}

async function textOf(body: ServiceRequest['body']): Promise<string> {
	const file = formOf(body).get('file') as FilePart;
	const chunks: Buffer[] = [];
	for await (const chunk of file.stream()) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks).toString();
}

async function answerOf(writes: Writes, request: ServiceRequest): Promise<Answer> {
	const { endpoint, query = {}, body = {} } = request;
	const fields = body as Record<string, string>;
	const { contact_id: id, ...values } = fields;
	const contact = {
		...values,
		contact_type_id: Number(values.contact_type_id),
	} as unknown as ContactBody;
	switch (endpoint.number) {
		case '19':
			return await writes.create(contact);
		case '23':
			return await writes.update(Number(id), contact);
		case '24':
			return await writes.remove(Number(query.contact_id));
		case '25':
			return await writes.removeMany((fields.strIds as unknown as string[]).map(Number));
		case '9':
			return await writes.addToGroup(
				Number(fields.unsubscribe_groups_id),
				String(fields.email_address).split(','),
			);
		case '21':
			return await writes.uploadCsv(
				Number(formOf(request.body).get('contact_type_id')),
				await textOf(request.body),
			);
		default:
			throw new Error(`Sync does not use ${endpoint.number}`);
	}
}

const clientOf = (writes: Writes): WritingClient => ({
	async read({ endpoint }) {
		throw new Error(`Sync reads nothing here: ${endpoint.number}`);
	},
	async write(request, parse) {
		const failure = await answerOf(writes, request);
		if (failure) throw new ServiceError(failure);
		const body = { status: 'success', message: 'Done' };
		return await parse({ statusCode: 200, headers: {}, body }, { changesData: true });
	},
});

/** A run that writes to a service in memory. */
export function runOf(
	writes: Writes,
	{ parallel = 3, ...options }: Partial<Omit<PoolOptions, 'parallel'>> & { parallel?: number } = {},
): SyncRun {
	return {
		service: 'memory',
		account: 'memory',
		client: clientOf(writes),
		continueOnFail: true,
		halt: () => undefined,
		isHalted: false,
		ledger: new Ledger(),
		pool: new Pool({ parallel: () => parallel, pause: async () => undefined, ...options }),
		signal: new AbortController().signal,
	};
}

/** A sync that is the only run of its execution, and remembers nothing. */
export const syncOnce = async (
	items: readonly MappedContact[],
	reads: SyncReads,
	options: SyncOptions,
	run: SyncRun,
) =>
	await syncContacts(numbered(items), reads, options, run, {
		execution: onlyRun,
		note: () => undefined,
	});
