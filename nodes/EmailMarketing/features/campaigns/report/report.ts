import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import { readRecord } from '../../../service/envelope';
import type { OutputMapper, Stage } from '../../../run/operation';
import type { RunContext } from '../../../run/runContext';
import type { ResponseMapper } from '../../../run/output/responseMappers';
import { countsOf, ratesOf } from '../../../records/statistics';
import type { StatisticsSource } from '../../../records/statistics';
import { recordStatus, shownStatus } from '../../../records/statusLabels';
import type { Item } from '../../../params/item';
import { numberOf } from '../../../params/givenOption';
import { locatorValue } from '../../../params/values';
import { records } from '../../../records/records';
import type { RecordName } from '../../../records/records';
import { coerceText, isZeroDate } from '../../../util/coerce';
import { compare, completedSends } from './comparison';
import { periodBetween, previousReport } from './reportPeriod';

const REPORTED = {
	singleSends: { kind: 'singleSend', sentAt: 'sentAt' },
	automations: { kind: 'automation', sentAt: 'liveAt' },
} as const satisfies Record<StatisticsSource, { kind: RecordName; sentAt: string }>;

/** A report as one row of a table; the columns that people look for come first. */
export function reportOn(
	source: StatisticsSource,
	record: IDataObject,
	reportedAt: Date,
): IDataObject {
	const { kind, sentAt } = REPORTED[source];
	const { names, sentAt: sentAtField } = records[kind];
	const [name = '', subject] = names as readonly string[];
	const counts = countsOf(source, record);
	const { delivered, ...otherCounts } = counts;
	const status = recordStatus(record, kind);
	return {
		name: record[name] ?? null,
		statusLabel: status === undefined ? null : shownStatus(status),
		[sentAt]: timeOrNull(record[sentAtField]),
		delivered,
		...ratesOf(counts),
		...otherCounts,
		...(subject !== undefined && { subject: record[subject] ?? null }),
		id: record.id ?? null,
		utr: record.utr ?? null,
		reportedAt: reportedAt.toISOString(),
		...(counts.triggered === 0 && { note: 'No rates yet: nothing has been sent' }),
	};
}

const timeOrNull = (time: unknown): string | null => {
	const text = coerceText(time);
	return text === '' || isZeroDate(text) ? null : text;
};

const compareWith = (item: Item): number =>
	Math.floor(numberOf(item.param('options.compareWithLast', 0), 'Compare With Last', 0));

async function singleSendItem(
	run: RunContext,
	item: Item,
	send: IDataObject,
): Promise<IDataObject> {
	const report = reportOn('singleSends', send, new Date());
	const most = compareWith(item);
	if (most === 0) return report;
	const completed = await run.memoize('completed', async () => {
		const client = run.clientFor(item);
		return completedSends(await run.cachedList({ client }, endpoints.singleSend.getAll));
	});
	return { ...report, ...compare(send, completed, most) };
}

/** The report on a single send (40). */
export const singleSendReport: OutputMapper = async (run, item) => async (response, info) => [
	{ json: await singleSendItem(run, item, readRecord(response, 'singleSend', info)) },
];

/** The list to compare with (37) also has the single send itself, so it is not requested separately. */
export const singleSendFromList: Stage = {
	check: (_run, item) => void compareWith(item),
	async step(draft) {
		const { run, item, query } = draft;
		if (compareWith(item) === 0) return undefined;
		const sends = await run.cachedList(draft, endpoints.singleSend.getAll);
		const send = sends.find(({ utr }) => coerceText(utr) === query.utr);
		return send && (await singleSendItem(run, item, send));
	},
};

/** The report on an automation (47). */
export const automationReport: ResponseMapper = (_context, item) => {
	const utr = coerceText(locatorValue(item.param('automationUtr', ''))).trim();
	const previous = previousReport(item.param('previousReport', ''), utr);
	return (response, info) => {
		const report = reportOn('automations', readRecord(response, 'automation', info), new Date());
		if (previous === undefined) return [{ json: report }];
		return [{ json: { ...report, period: periodBetween(previous, report) } }];
	};
};
