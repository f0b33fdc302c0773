import { sleep } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import { readRecord } from '../../../service/envelope';
import { ServiceError } from '../../../service/failure';
import type { Caller } from '../../../run/operation';
import { notSent } from '../../../run/writer/outcome';
import { requestOf, write } from '../../../run/writer/write';
import { statisticsOf } from '../../../records/statistics';
import { COMPLETED, withStatusLabel } from '../../../records/statusLabels';
import { toFlag } from '../../../params/values';
import { numberOption } from '../../../params/numberOption';
import type { Item } from '../../../params/item';
import { coerceText } from '../../../util/coerce';
import { Cancelled } from '../../../util/pool';
import { raceAbort } from '../../../util/raceAbort';
import { quote } from '../../../util/text';

/** What happens after a test was sent. */
export interface AfterSending {
	waits: boolean;
	limitMs: number;
	deletes: boolean;
}

/** @throws InvalidInput */
export function afterSending(item: Item): AfterSending {
	const options = item.param('options', {}) as IDataObject;
	const deletes = toFlag(options.deleteAfterwards, 'Delete Afterwards') === '1';
	const waits = toFlag(options.waitForCompletion, 'Wait for Completion') === '1';
	const seconds = numberOption(options, 'waitLimit', 'Wait Limit (Seconds)', 0) ?? 300;
	// It is deleted only once it is completed.
	return { waits: waits || deletes, limitMs: seconds * 1000, deletes };
}

/** A test that was sent. */
interface SentTest {
	utr: string;
	name: string;
}

const firstPauseMs = 1000;
const longestPauseMs = 10_000;

/** What the output says about the test after its sending; a failure is told there, since the test was sent. */
export async function followUp(
	caller: Caller,
	test: SentTest,
	{ waits, limitMs, deletes }: AfterSending,
): Promise<IDataObject> {
	if (!waits) return { message: 'The test was sent' };
	const kept = deletes ? { deleted: false } : {};
	try {
		const record = await waitForEnd(caller, test, limitMs);
		const state = withStatusLabel({ status: record.status }, 'singleSend');
		if (coerceText(record.status) !== COMPLETED) {
			const message = 'The test was sent, but it was not completed within the limit';
			return { ...state, ...kept, message };
		}
		const counts = statisticsOf('singleSends').map((field) => [field, record[field]]);
		const output = { ...state, ...(Object.fromEntries(counts) as IDataObject) };
		return deletes
			? { ...output, ...(await remove(caller, test, record)) }
			: { ...output, message: 'The test was sent and is completed' };
	} catch (error) {
		const message = `The test was sent, but its status is unknown: ${messageOf(error)}`;
		return { ...kept, message };
	}
}

/** @throws whatever is no failure of the service */
function messageOf(error: unknown): string {
	if (error instanceof ServiceError) return error.message;
	throw error;
}

/** The test (40) once it is completed, or as it is when the time is up. */
async function waitForEnd(
	{ run, client }: Caller,
	{ utr }: SentTest,
	limitMs: number,
): Promise<IDataObject> {
	const endpoint = endpoints.singleSend.get;
	let waitedMs = 0;
	for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
		const record = await client.send({ endpoint, query: { utr } }, (response, info) =>
			readRecord(response, endpoint.key, info),
		);
		const isOver = coerceText(record.status) === COMPLETED || waitedMs >= limitMs;
		if (isOver) return record;
		const restMs = Math.min(pauseMs, limitMs - waitedMs);
		if (!(await raceAbort(sleep(restMs), run.signal))) return record;
		waitedMs += restMs;
	}
}

/** Deletes the copy, and nothing that has another name. */
async function remove(
	{ run, item }: Caller,
	{ utr, name }: SentTest,
	record: IDataObject,
): Promise<IDataObject> {
	const kept = (reason: string): IDataObject => ({
		deleted: false,
		message: `The test was sent and completed, but its copy may still exist: ${reason}`,
	});
	const found = coerceText(record.single_send_name);
	if (found !== name) return kept(`the campaign with its UTR is named ${quote(found)}`);
	const endpoint = endpoints.singleSend.delete;
	const direct = run.clientFor(item);
	const prepare = () => requestOf(direct, { endpoint, query: { utr } });
	const [outcome = notSent] = await write(run, [{ part: utr, prepare }], false);
	if (outcome.kind === 'items') {
		return { deleted: true, message: 'The test was sent and completed, and its copy was deleted' };
	}
	if (outcome.kind === 'notSent') throw new Cancelled();
	return kept(messageOf(outcome.error));
}
