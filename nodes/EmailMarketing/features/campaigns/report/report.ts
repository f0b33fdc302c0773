import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import { readRecord } from '../../../service/envelope';
import type { OutputMapper, Stage } from '../../../run/operation';
import type { RunContext } from '../../../run/runContext';
import type { ResponseMapper } from '../../../run/output/responseMappers';
import { ratesOf, statisticsOf } from '../../../records/statistics';
import type { StatisticsSource } from '../../../records/statistics';
import { withStatusLabel } from '../../../records/statusLabels';
import type { Item } from '../../../params/item';
import { numberOf } from '../../../params/numberOption';
import { locatorValue } from '../../../params/values';
import { records } from '../../../records/records';
import type { RecordName } from '../../../records/records';
import { coerceText } from '../../../util/coerce';
import { compare, completedSends } from './comparison';
import { periodBetween, previousReport } from './reportPeriod';

const REPORTED = {
	singleSends: 'singleSend',
	automations: 'automation',
} as const satisfies Record<StatisticsSource, RecordName>;

/** What a report says about a record by itself: which it is, its counts as the service has them, and its rates. */
export function reportOn(
	source: StatisticsSource,
	record: IDataObject,
	reportedAt: Date,
): IDataObject {
	const kind = REPORTED[source];
	const { names, sentAt } = records[kind];
	const fields = ['id', 'utr', ...names, 'status', 'statusLabel', sentAt, ...statisticsOf(source)];
	const labelled = withStatusLabel(record, kind);
	const report: IDataObject = {};
	for (const field of fields) {
		if (Object.hasOwn(labelled, field)) report[field] = labelled[field];
	}
	return { ...report, reportedAt: reportedAt.toISOString(), rates: ratesOf(source, record) };
}

const compareWith = (item: Item): number =>
	Math.floor(numberOf(item.param('options.compareWithLast', 10), 'Compare With Last', 0));

async function singleSendItem(
	run: RunContext,
	item: Item,
	send: IDataObject,
): Promise<IDataObject> {
	const report = reportOn('singleSends', send, new Date());
	const most = compareWith(item);
	if (most === 0) return report;
	const completed = await run.memoize(`completed ${run.accountOf(item)}`, async () => {
		const source = { item, client: run.clientFor(item) };
		return completedSends(await run.cachedList(source, endpoints.singleSend.getAll));
	});
	return { ...report, comparison: compare(send, completed, most) };
}

/** The report on a single send (40). */
export const singleSendReport: OutputMapper = async (run, item) => async (response, info) => [
	{ json: await singleSendItem(run, item, readRecord(response, 'singleSend', info)) },
];

/** The list that a single send is compared with (37) has that single send as well, so it is not requested again. */
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
