import type { IDataObject } from 'n8n-workflow';

import type { RecordName } from '../../records/records';
import type { Trait } from './observation';
import type { Finding } from './sendProbe';

/** How this service does something that the reference leaves open, if there is something to set or to decide. */
interface Reading {
	name: string;
	text: string;
	/** What to change in the node, if it cannot find out on its own. */
	setting?: { option: string; value: string; where: string };
}

/** @param kind of the records; any kind if omitted */
const hasTrait = (findings: readonly Finding[], trait: Trait, kind?: RecordName): boolean =>
	findings.some(
		({ probe, observation }) =>
			(kind === undefined || probe.kind === kind) && observation.traits.includes(trait),
	);

/** What the findings show about points that the reference leaves open. */
function readingsOf(findings: readonly Finding[]): Reading[] {
	const readings: Array<Reading | false> = [
		hasTrait(findings, 'isOfGroup', 'globalUnsubscribe') && {
			name: 'groupEntriesAmongGlobal',
			text: 'The list of global unsubscribes also contains entries of unsubscribe groups. If an entry is also in the list of its group, it counts for that group only. Otherwise, it counts as a global unsubscribe.',
		},
		hasTrait(findings, 'hasUnclearContent', 'singleSend') && {
			name: 'unclearContentStored',
			text: 'Stored emails have several of a template, a JSON design and HTML, or a placeholder such as {}. An update that sets none of them is refused.',
			setting: {
				option: 'Compatibility: Stored Content',
				value: 'the content that the service sends',
				where: 'Campaign: Check, Send Test and Update',
			},
		},
		hasTrait(findings, 'hasShortYear') && {
			name: 'twoDigitYears',
			text: 'Dates of stored campaigns have two-digit years.',
			setting: {
				option: 'Compatibility: Date Format',
				value: 'YY-MM-DD',
				where: 'Campaign: Create, Update',
			},
		},
		hasTrait(findings, 'isSentBeforeItsTime') && {
			name: 'sentAtNotUtc',
			text: 'Send times are not in UTC: read as UTC, some are in the future, or before the campaign was created.',
			setting: {
				option: 'Compatibility: Sent At Time Zone',
				value: 'the time zone of the account, such as Europe/Berlin',
				where: 'Email Marketing Trigger, Campaign: Check and Get Many',
			},
		},
	];
	return readings.filter((reading) => reading !== false);
}

/** Questions that only a write can answer, and the option that helps if the default is wrong. */
const openQuestions: IDataObject[] = [
	{
		question: 'Which format the send time of a campaign requires',
		option: 'Campaign: Create and Update, Compatibility: Time Format, Compatibility: Date Format',
	},
	{
		question:
			'Whether an email requires both HTML and JSON, with the unused one empty (campaigns and automations)',
		option:
			'Campaign: Create, Send Test and Update, Automation Schedule: Create, Compatibility: Unused Content',
	},
	{
		question: 'Which HTTP method duplicates a campaign',
		option: 'Campaign: Duplicate, Compatibility: Request Method',
	},
	{
		question: 'Whether campaigns and automations are bulk deleted by ID or by UTR',
		option: 'Delete Many, Compatibility: Bulk Delete Identifier',
	},
	{
		question: 'How the columns of a CSV import must be named',
		option: 'Contact: Sync, Compatibility: CSV Format',
	},
	{ question: 'Whether an empty value clears a field' },
	{ question: 'Which status a paused automation has' },
];

const isAsExpected = ({ result }: Finding): boolean => result === 'works' || result === 'empty';

const labelsOf = (findings: readonly Finding[]): string =>
	findings.map(({ probe }) => probe.label).join(', ');

function verdictOf(findings: readonly Finding[]): { result: string; message: string } {
	const tried = findings.filter(({ result }) => result !== 'notTested');
	const expected = tried.filter(isAsExpected);
	const others = tried.filter((finding) => !isAsExpected(finding));
	const [first] = tried;
	if (others.length === 0) {
		const message = `The node works with this account: all ${tried.length} requests were answered as expected. Only reads were tried. Nothing was changed.`;
		return { result: 'fits', message };
	}
	if (tried.every(({ result }) => result === 'failed')) {
		const message = `The account could not be checked: ${first?.message ?? ''}`;
		return { result: 'unknown', message };
	}
	if (tried.every(({ result }) => result === 'refused')) {
		const message =
			'The service refused the first request, so the others were not tried. Check the keys in the credential, then run the check again.';
		return { result: 'unknown', message };
	}
	if (!expected.some(({ probe }) => probe.form === 'records')) {
		const message =
			'No list was as expected. Either "Base URL" in the credential is wrong, or this is not the service that the node was built for.';
		return { result: 'doesNotFit', message };
	}
	const message = `The node works with part of this account: ${expected.length} of ${tried.length} requests were answered as expected. Not as expected: ${labelsOf(others)}.`;
	return { result: 'fitsInPart', message };
}

const listed = (names: readonly string[]): string => (names.length > 0 ? names.join(', ') : 'none');

/** Meant for a bug report: it has names of fields, counts and sizes, but no data of the account. */
function reportOf(rows: readonly IDataObject[], conclusion: IDataObject): string {
	const lines = rows.map(
		({ endpoint, result, message, records, bytes, milliseconds, unknownFields, missingFields }) =>
			[
				`| ${String(endpoint)} | ${String(result)} | ${String(message)} |`,
				` ${String(records)} | ${String(bytes)} | ${String(milliseconds)} |`,
				` ${listed(unknownFields as string[])} | ${listed(missingFields as string[])} |`,
			].join(''),
	);
	return [
		String(conclusion.message),
		'',
		'| Endpoint | Result | Message | Records | Bytes | ms | Unknown fields | Missing fields |',
		'|---|---|---|---|---|---|---|---|',
		...lines,
		'',
		...(conclusion.readings as Reading[]).map(({ text }) => `- ${text}`),
	].join('\n');
}

/** @param rows the output for each finding */
export function conclude(
	findings: readonly Finding[],
	rows: readonly IDataObject[],
): IDataObject & { result: string; message: string } {
	const readings = readingsOf(findings);
	const conclusion = {
		type: 'conclusion',
		...verdictOf(findings),
		readings: readings.map(({ name, text }) => ({ name, text })),
		settings: readings.flatMap(({ setting }) => setting ?? []),
		openQuestions,
	};
	return { ...conclusion, report: reportOf(rows, conclusion) };
}
