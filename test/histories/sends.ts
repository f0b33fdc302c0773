import type { IDataObject } from 'n8n-workflow';

import { troubles, type Evidence, type Finding } from './evidence.ts';
import { runsOf, type Run, type Write } from './executions.ts';
import type { Entry } from './history.ts';

/** What an item sends, by the operation. */
export const SENDING = {
	create: 'POST /single/send/create',
	sendTest: 'POST /single/send/create',
	update: 'POST /single/send/update',
	duplicate: 'POST /single/send/duplicate',
	setLive: 'GET /automations/set-live',
} as const;
export type Sending = keyof typeof SENDING;

const IMPORT = 'POST /contacts/upload-csv';

const operationOf = ({ parameters }: Run) => String(parameters.operation);

/** What the items of a run do to the same campaign, automation or file. */
interface Deed {
	run: Run;
	/** The name or the UTR; of a file, its first address. */
	key: string;
	items: number[];
	writes: Write[];
}

/** Which campaign, automation or file a request is about. */
function keyOf({ request, body, query, emails }: Write, operation: string): string {
	const name = String(body.single_send_name);
	// "[Test] Sale 1 (…)"
	if (operation === 'sendTest') return name.slice('[Test] '.length, name.lastIndexOf(' ('));
	if (request === SENDING.create) return name;
	return request === IMPORT ? (emails[0] ?? '') : String(body.utr ?? query.utr);
}

function deedsOf(run: Run): Deed[] {
	const operation = operationOf(run);
	const keys = (run.items ?? []).map(({ key }) => String(key));
	return [...new Set(keys)].map((key) => ({
		...{ run, key, items: keys.flatMap((one, item) => (one === key ? [item] : [])) },
		writes: run.writes.filter((write) => keyOf(write, operation) === key),
	}));
}

/** How often items may do the same: what starts one and the same send does it once. */
function mostOf({ run: { parameters }, items }: Deed): number {
	const { operation, ifNameExists } = parameters;
	const isOnce = operation === 'update' || operation === 'setLive';
	return isOnce || ['fail', 'return'].includes(String(ifNameExists)) ? 1 : items.length;
}

const mayHave = /may have (succeeded|been sent)/;
/** Whether a failure is one without effect. */
const isCertain = (failure: IDataObject | undefined) =>
	failure !== undefined && !mayHave.test(`${failure.message} ${failure.description}`);

const DONE = ['created', 'sent', 'updated', 'duplicated', 'live', 'imported'];
const isDone = (row: IDataObject) =>
	row.skipped === undefined && DONE.some((name) => row[name] === true);

function failureAt({ rows, of, failure }: Run, item: number): IDataObject | undefined {
	// Where a node stops, its error says nothing about the other items.
	if (failure) return failure.itemIndex === item ? failure : undefined;
	return rows[of.indexOf(item)]?.error as IDataObject | undefined;
}

/** Nothing is sent or imported twice, what failed had no effect, and what is reported as done was done. */
function checkDeed(deed: Deed): Finding[] {
	const { run, key, items, writes } = deed;
	const about = `${operationOf(run)} of ${key} in ${run.id}`;
	const findings: Finding[] = [];
	const no = (promise: string, what: string) => findings.push({ promise, what });
	if (writes.length > mostOf(deed)) no('Nothing is sent twice', `${about}: ${writes.length} times`);
	if (!run.isSaved) return findings;
	const certain = items.filter((item) => isCertain(failureAt(run, item)));
	if (writes.length > items.length - certain.length) no('What failed had no effect', about);
	const done = items.filter((item) => isDone(run.rows[run.of.indexOf(item)] ?? {}));
	if (!run.failure && writes.length < done.length) no('What is reported as done was done', about);
	return findings;
}

/** A campaign whose name exists is not sent again, unless the list that a run reads is not whole, or it was deleted. */
function checkAgain({ entries }: Evidence, runs: Run[]): Finding[] {
	const sent = new Map<string, number[]>();
	const shortened = troubles(entries, 'shorten').filter(
		({ data }) => data?.shorten === '/single-send/list',
	);
	const isShown = ({ began, ended }: Run) =>
		!shortened.some(({ at, data }) => at <= ended && at + Number(data?.ms) >= began);
	const deleted = troubles(entries, 'change').filter(({ data }) => data?.change === 'deleted');
	const deletions = (name: string, { ended }: Run) =>
		deleted.filter(({ at, data }) => data?.name === name && at <= ended).length;
	return runs.flatMap((run) =>
		run.writes.flatMap(({ request, body, at }): Finding[] => {
			const name = String(body.single_send_name);
			if (request !== SENDING.create) return [];
			const all = sent.get(name) ?? [];
			sent.set(name, [...all, at]);
			const before = all.filter((one) => one < run.began);
			if (run.parameters.ifNameExists === 'create' || !isShown(run)) return [];
			if (before.length <= deletions(name, run)) return [];
			return [{ promise: 'Nothing is sent twice', what: `${name} at ${at}, after ${before}` }];
		}),
	);
}

/** A request for details, from when it was sent. */
interface Reading {
	at: number;
	run: number;
	utr: string;
}

const DETAILS = ['GET /single-send/details', 'GET /automations/details'];

const readingsIn = (entries: readonly Entry[]): Reading[] =>
	entries.flatMap(({ at, op, type, of = 0, data }) =>
		type === 'invoke' && DETAILS.includes(op)
			? [{ at, run: of, utr: String((data?.query as IDataObject).utr) }]
			: [],
	);

/** A start of a send that exists, and the last reading before it. */
interface Start extends Write {
	process: string;
	utr: string;
	readAt: number;
}

function startsOf(runs: Run[], readings: Reading[]): Start[] {
	return runs.flatMap(({ id, process, writes }) =>
		writes.flatMap((write): Start[] => {
			if (![SENDING.update, SENDING.setLive].some((one) => one === write.request)) return [];
			const utr = String(write.body.utr ?? write.query.utr);
			const isOf = (one: Reading) => one.run === id && one.utr === utr && one.at <= write.at;
			return [{ ...write, process, utr, readAt: readings.findLast(isOf)?.at ?? -1 }];
		}),
	);
}

/** The status of a campaign or an automation at a time, and whether it has been the same up to another. */
function statusOf({ entries, first }: Evidence, utr: string, from: number, to: number) {
	const there = [...first.singleSends, ...first.automations].find((one) => one.utr === utr);
	const changes = entries.flatMap(({ at, data = {} }) => {
		if (data.change === 'status' && data.key === utr) return [{ at, status: Number(data.status) }];
		const isLive = data.write === SENDING.setLive && (data.query as IDataObject).utr === utr;
		return isLive ? [{ at, status: 1 }] : [];
	});
	return {
		status: changes.findLast(({ at }) => at < from)?.status ?? there?.status ?? 0,
		isSteady: !changes.some(({ at }) => at >= from && at < to),
	};
}

/** Nothing is started on a reading that others have overtaken, nor what has left or is live already. */
function checkStarts(evidence: Evidence, runs: Run[]): Finding[] {
	const starts = startsOf(runs, readingsIn(evidence.entries));
	return starts.flatMap((start) => {
		const { utr, request, at, readAt, process } = start;
		const what = `${utr} at ${at}, read at ${readAt}`;
		const overtaking = starts.some(
			(one) => one.process === process && one.utr === utr && one.at > readAt && one.at < at,
		);
		if (readAt < 0 || overtaking) return [{ promise: 'Nothing is sent on a stale reading', what }];
		const { status, isSteady } = statusOf(evidence, utr, readAt, at);
		const hasLeft = request === SENDING.update ? status >= 2 : status === 1 && isSteady;
		return hasLeft ? [{ promise: 'Nothing is sent again that has left', what }] : [];
	});
}

/** Nothing is sent from a sender that is not verified, a test to nobody but the testers, nor an automation without email. */
function checkContents({ entries, first, promises }: Evidence, runs: Run[]): Finding[] {
	const verified = new Set(
		first.senders.filter(({ is_verified }) => is_verified === 1).map(({ id }) => String(id)),
	);
	const verifiedAt = new Map(
		troubles(entries, 'change')
			.filter(({ data }) => data?.change === 'verified')
			.map(({ at, data }) => [String(data?.key), at]),
	);
	const withEmails = new Set(first.automationSchedules.map((one) => one.automation_id));
	const ready = new Set(
		first.automations.filter(({ id }) => withEmails.has(id)).map(({ utr }) => utr),
	);
	return runs.flatMap((run) =>
		run.writes.flatMap(({ request, body, query, at }): Finding[] => {
			const no = (promise: string) => [{ promise, what: `${request} at ${at} in ${run.id}` }];
			const sender = body.sender_id === undefined ? undefined : String(body.sender_id);
			const isUnverified =
				sender !== undefined && !verified.has(sender) && (verifiedAt.get(sender) ?? Infinity) > at;
			const isEmpty = request === SENDING.setLive && !ready.has(String(query.utr));
			if (isUnverified || isEmpty) return no('Nothing is sent unchecked');
			const isTest = operationOf(run) === ('sendTest' satisfies Sending);
			const recipients = Object.keys(body).filter((name) => name.startsWith('recipient_id'));
			const isWrong = isTest && recipients.some((name) => body[name] !== promises.testList);
			return isWrong ? no('Only testers receive a test') : [];
		}),
	);
}

/** Nothing starts a send unchecked, stale or twice, and no file is imported twice. */
export function checkSends(evidence: Evidence): Finding[] {
	const campaigns = runsOf(evidence, 'campaigns');
	const imports = runsOf(evidence, 'imports');
	return [
		...[...campaigns, ...imports].flatMap(deedsOf).flatMap(checkDeed),
		...checkAgain(
			evidence,
			campaigns.filter((run) => operationOf(run) === 'create'),
		),
		...checkStarts(evidence, campaigns),
		...checkContents(evidence, campaigns),
	];
}
