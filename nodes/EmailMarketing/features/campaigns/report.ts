import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { readRecord } from '../../service/envelope';
import { recordKey } from '../../run/mergeCurrent';
import type { OutputMapper, Stage } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import type { ResponseMapper } from '../../run/output/responseMappers';
import {
	COUNT_NAMES,
	countIn,
	countsOf,
	median,
	RATE_NAMES,
	ratesOf,
} from '../../records/statistics';
import type { Counts, RateName, Rates, StatisticsKind } from '../../records/statistics';
import { COMPLETED, recordStatus, shownStatus } from '../../records/statusLabels';
import { isUnsent } from '../../records/recordKind';
import { isTestSend } from '../../records/testName';
import type { Item } from '../../params/item';
import { numberOf } from '../../params/givenOption';
import { InvalidInput } from '../../params/invalidInput';
import { locatorValue } from '../../params/values';
import { records } from '../../records/records';
import {
	codeText,
	coerceNumber,
	coerceText,
	fromJson,
	isEmpty,
	isObject,
	isZeroDate,
} from '../../util/coerce';
import { quote } from '../../util/text';

/** The column of the time at which it began to be sent. */
const SENT_AT = { singleSend: 'sentAt', automation: 'liveAt' } as const;

/** A report as one row of a table; the columns that people look for come first. */
export function reportOn(kind: StatisticsKind, record: IDataObject, reportedAt: Date): IDataObject {
	const { names, sentAt } = records[kind];
	const [name = '', subject] = names as readonly string[];
	const counts = countsOf(kind, record);
	const { delivered, ...otherCounts } = counts;
	const status = recordStatus(record, kind);
	return {
		name: record[name] ?? null,
		statusLabel: status === undefined ? null : shownStatus(status),
		[SENT_AT[kind]]: kind === 'singleSend' && isUnsent(record) ? null : timeOrNull(record[sentAt]),
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

/** Rates where lower is better. */
const LOWER_IS_BETTER: ReadonlySet<RateName> = new Set([
	'bounceRatePercent',
	'unsubscribeRatePercent',
]);

/** The completed single sends that were sent to somebody, without tests, newest first. */
export function completedSends(sends: readonly IDataObject[]): IDataObject[] {
	const sentAt = (send: IDataObject) => coerceText(send.sent_at);
	return sends
		.filter(
			(send) =>
				codeText(send.status) === COMPLETED &&
				(countIn(send, 'triggered') ?? 0) > 0 &&
				!isTestSend(send),
		)
		.sort((a, b) => {
			if (sentAt(a) !== sentAt(b)) return sentAt(a) < sentAt(b) ? 1 : -1;
			return (coerceNumber(b.id) || 0) - (coerceNumber(a.id) || 0);
		});
}

function rank(own: number, others: number[], lowerIsBetter: boolean): string {
	const better = others.filter((other) => (lowerIsBetter ? other < own : other > own)).length;
	return `${better + 1} of ${others.length + 1}`;
}

/** Keeps the unit at the end of the name: `openRatePercent` becomes `openRateMedianPercent`. */
const compared = (name: RateName, what: string): string => {
	const stem = name.replace(/Percent$/, '');
	return stem === name ? `${name}${what}` : `${stem}${what}Percent`;
};

/**
 * How a single send compares with the last ones, sent before or after it.
 *
 * @param completed the newest first
 * @param most how many others to compare it with, not counting itself
 */
export function compare(
	send: IDataObject,
	completed: readonly IDataObject[],
	most: number,
): IDataObject {
	const utr = coerceText(send.utr);
	const others = completed.filter((other) => coerceText(other.utr) !== utr).slice(0, most);
	const [own, ...rates] = [send, ...others].map((one) => ratesOf(countsOf('singleSend', one)));
	const comparison: IDataObject = { comparedWith: others.length };
	for (const name of RATE_NAMES) {
		const numbers = rates.flatMap(({ [name]: rate }) => (rate === null ? [] : [rate]));
		const rate = own?.[name] ?? null;
		comparison[compared(name, 'Median')] = median(numbers);
		comparison[`${name.replace(/Percent$/, '')}Rank`] =
			rate === null ? null : rank(rate, numbers, LOWER_IS_BETTER.has(name));
	}
	return comparison;
}

const compareWith = (item: Item): number =>
	Math.floor(numberOf(item.param('options.compareWithLast', 0), 'Compare With Last', 0));

async function singleSendItem(
	run: RunContext,
	item: Item,
	send: IDataObject,
): Promise<IDataObject> {
	const report = reportOn('singleSend', send, new Date());
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

const previousLabel = 'Previous Report';
const previousRemedy =
	'Pass the whole item that "Automation: Get Report" returned in an earlier run, or leave the field empty.';

/**
 * The report of an earlier run: an object, or JSON of one. Only its UTR and its counts are needed, so that the row of a
 * table with these columns will do.
 *
 * @param utr of the automation that the new report is about
 * @returns undefined for nothing and for an empty object, which is what a first run has
 * @throws InvalidInput for anything else
 */
export function previousReport(value: unknown, utr: unknown): IDataObject | undefined {
	const given = typeof value === 'string' ? value.trim() : locatorValue(value);
	if (isEmpty(given)) return undefined;
	const report = typeof given === 'string' ? fromJson(given) : given;
	if (report === null) return undefined;
	if (!isObject(report)) {
		throw new InvalidInput(
			'report-invalid',
			`"${previousLabel}" is not a report: ${quote(value)}`,
			previousRemedy,
		);
	}
	if (Object.keys(report).length === 0) return undefined;
	// The service may ignore the case of a UTR.
	if (recordKey(coerceText(report.utr)) !== recordKey(coerceText(utr))) {
		throw new InvalidInput(
			'report-of-another-automation',
			`"${previousLabel}" is about another automation: ${quote(report.utr)}`,
			'Pass the report of the automation that is chosen in "Automation". The field "utr" of a report shows which automation it is about.',
		);
	}
	// A sheet may have taken 1.234 messages for 1.234 of one. The service may not have shown a count.
	const isUnknown = (field: string) => report[field] === null || report[field] === '';
	const missing = COUNT_NAMES.filter(
		(field) => !isUnknown(field) && !Number.isInteger(countIn(report, field)),
	);
	if (missing.length > 0) {
		throw new InvalidInput(
			'report-without-number',
			`"${previousLabel}" has no number for: ${missing.join(', ')}`,
			previousRemedy,
		);
	}
	return report;
}

/** What happened between two reports. A count that went down means that the service has started over. */
export function periodBetween(previous: IDataObject, report: IDataObject): IDataObject {
	const counts = Object.fromEntries(
		COUNT_NAMES.map((name) => {
			const [before, now] = [countIn(previous, name), countIn(report, name)];
			return [name, before === null || now === null ? null : now - before];
		}),
	) as Counts;
	const fallen = COUNT_NAMES.filter((name) => (counts[name] ?? 0) < 0);
	const rates: Rates = ratesOf(counts);
	if (fallen.length > 0) for (const name of RATE_NAMES) rates[name] = null;
	return {
		from: isEmpty(previous.reportedAt) ? null : previous.reportedAt,
		to: report.reportedAt,
		...rates,
		...counts,
		isReset: fallen.length > 0,
		...(fallen.length > 0 && {
			note: `No rates for this period: ${fallen.join(', ')} went down since the previous report`,
		}),
	};
}

/** The report on an automation (47). */
export const automationReport: ResponseMapper = (_context, item) => {
	const utr = coerceText(locatorValue(item.param('automationUtr', ''))).trim();
	const previous = previousReport(item.param('previousReport', ''), utr);
	return (response, info) => {
		const report = reportOn('automation', readRecord(response, 'automation', info), new Date());
		if (previous === undefined) return [{ json: report }];
		return [{ json: { ...report, period: periodBetween(previous, report) } }];
	};
};
