import type { IDataObject } from 'n8n-workflow';

import { COUNT_NAMES, countIn, RATE_NAMES, ratesOf } from '../../../records/statistics';
import type { Counts, Rates } from '../../../records/statistics';
import { InvalidInput } from '../../../params/invalidInput';
import { locatorValue } from '../../../params/values';
import { coerceText, fromJson, isEmpty, isObject } from '../../../util/coerce';
import { quote } from '../../../util/text';

const label = 'Previous Report';
const remedy =
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
	if (report === undefined) {
		throw new InvalidInput('json-invalid', `"${label}" is not valid JSON: ${quote(value)}`, remedy);
	}
	if (!isObject(report)) {
		throw new InvalidInput('report-invalid', `"${label}" is not a report: ${quote(value)}`, remedy);
	}
	if (Object.keys(report).length === 0) return undefined;
	if (coerceText(report.utr) !== utr) {
		throw new InvalidInput(
			'report-of-another-automation',
			`"${label}" is about another automation: ${quote(report.utr)}`,
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
			`"${label}" has no number for: ${missing.join(', ')}`,
			remedy,
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
