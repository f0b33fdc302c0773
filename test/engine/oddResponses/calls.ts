import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { methods } from '../../../nodes/EmailMarketing/methods';
import { editorContext, keys, runNode, type NodeError, type Outcome } from '../engine';
import { TRIES } from '../faults/inflict';
import { whenLost } from '../faults/table';
import { Poller, type PollSettings } from '../trigger/poller';
import type { RawService } from './rawService';

export interface Says {
	message: string;
	remedy: string;
	httpCode: string | null;
	/** Whether reads are sent again. */
	isRepeated: boolean;
}

export const calls = { read: 'GET /api/contacts-type', write: 'POST /api/contacts-type/add' };

const operations = {
	read: { operation: 'getAll', returnAll: true },
	write: { operation: 'create', name: 'Wholesale' },
};

export type Kind = keyof typeof operations;

export async function run(
	{ baseUrl }: RawService,
	kind: Kind,
	parameters: IDataObject = {},
): Promise<Outcome> {
	return await runNode({
		baseUrl,
		parameters: { resource: 'contactType', ...operations[kind], ...parameters },
	});
}

/** All that an error says, and how often the request was sent. */
export async function expectFailure(
	service: RawService,
	kind: Kind,
	{ message, remedy, httpCode, isRepeated }: Says,
	requestOptions: IDataObject = {},
): Promise<void> {
	const { items, error } = await run(service, kind, { requestOptions });

	const tries = kind === 'read' && isRepeated ? TRIES : 1;
	const advice = [
		kind === 'write' ? whenLost(remedy) : remedy,
		...(tries > 1 ? [`Tried ${tries} times.`] : []),
	];
	expect({
		message: error?.message,
		description: error?.description,
		httpCode: error?.httpCode ?? null,
	}).toEqual({ message, description: advice.join(' '), httpCode });
	expect(items).toEqual([]);
	// On a busy machine, the time may be up before a request has been sent.
	const arrived = httpCode === null && requestOptions.timeout ? service.requests.length : tries;
	expect(arrived).toBeLessThanOrEqual(tries);
	expect(service.requests).toEqual(Array(arrived).fill(calls[kind]));
}

const messageOf = async (call: Promise<unknown>): Promise<string | undefined> =>
	await call.then(
		() => undefined,
		(error: NodeError) => error.message,
	);

/** What a list of the editor says. */
export async function editorMessage(
	{ baseUrl }: RawService,
	requestOptions: IDataObject = {},
): Promise<string | undefined> {
	const parameters = { resource: 'contactType', operation: 'get', requestOptions };
	const search = methods?.listSearch?.searchContactTypes as (
		this: ILoadOptionsFunctions,
	) => Promise<unknown>;
	const context = editorContext(parameters, { baseUrl, ...keys });
	return await messageOf(search.call(context as unknown as ILoadOptionsFunctions));
}

/** What a poll of the trigger says. */
export async function pollMessage(
	service: RawService,
	settings: PollSettings = {},
): Promise<string | undefined> {
	return await messageOf(new Poller(service, { events: ['singleSendCreated'] }).poll(settings));
}

/** Tests that a response is a failure wherever it can come. */
export function itIsAFailure(service: RawService, says: Says): void {
	it.each(['read', 'write'] as const)(
		'is a failure, for a %s',
		async (kind) => await expectFailure(service, kind, says),
	);

	it('is a failure in the editor and in a poll', async () => {
		expect(await editorMessage(service)).toBe(says.message);
		expect(await pollMessage(service)).toBe(says.message);
	});
}
