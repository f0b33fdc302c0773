import type { IDataObject } from 'n8n-workflow';

import type { KeyedEndpoint } from '../../../service/endpoints';
import type { ErrorCode } from '../../../service/errorCode';
import { ServiceError } from '../../../service/failure';
import type { Fields } from '../../../service/form';
import { fetchDynamicContent, fetchList } from '../../../service/lists';
import type { Caller, Draft, DraftStep } from '../../../run/operation';
import { listKey } from '../../../run/runContext';
import { flagParam } from '../../../params/givenOption';
import { InvalidInput } from '../../../params/invalidInput';
import { isDeleted, nameOrId } from '../../../records/recordKind';
import type { RecordKind } from '../../../records/recordKind';
import { coerceText } from '../../../util/coerce';
import { quote, sanitize } from '../../../util/text';

/** Something that would go wrong, and what to do about it. The problem is a sentence without its final period. */
export interface Finding {
	/** Stays the same when the text changes, so that workflows can branch on it. */
	code: ErrorCode;
	/** Label of the field that it is about. */
	field: string;
	problem: string;
	remedy: string;
	/** Only a warning, because the facts are unknown. */
	isUnclear?: boolean;
}

/** Reads lists of the service, each once for several items. */
export interface ListReader {
	records(endpoint: KeyedEndpoint, query?: Fields): Promise<IDataObject[]>;
	/** The names of placeholders (36). */
	dynamicContent(): Promise<string[]>;
}

type Check = (draft: Draft, fields: Fields, lists: ListReader) => Promise<Finding[]>;

/** How the responses of lists are kept. */
type Keep = <T>(name: string, read: () => Promise<T>) => Promise<T>;

const listsOf = ({ client }: Caller, keep: Keep): ListReader => ({
	records: async (endpoint, query = {}) =>
		await keep(listKey(endpoint, query), async () => await fetchList(client, endpoint, query)),
	dynamicContent: async () =>
		await keep('dynamic content', async () => (await fetchDynamicContent(client)).map(coerceText)),
});

/** The lists as they are now, for what may be sent. */
export const recentListsOf = (caller: Caller): ListReader =>
	listsOf(caller, async (name, read) => await caller.run.recent(name, read));

/** The lists as they were when they were first read. */
export const listReaderOf = (caller: Caller): ListReader =>
	listsOf(caller, async (name, read) => await caller.run.memoize(name, read));

export const nameOf = (record: IDataObject, kind: RecordKind): string =>
	quote(nameOrId(record, kind));

/** @returns undefined also for a record that the service lists although it is deleted */
export function withId(records: IDataObject[], id: unknown): IDataObject | undefined {
	const wanted = coerceText(id);
	if (wanted === '') return undefined;
	return records.find((record) => coerceText(record.id) === wanted && !isDeleted(record));
}

/**
 * A record that a field names does not exist.
 *
 * @param where words that say where it is used, such as ` of the email "Welcome"`
 */
export const notFound = (code: ErrorCode, field: string, id: unknown, where = ''): Finding => ({
	...{ code, field },
	// The service may have anything in place of an ID.
	problem: `"${field}"${where} does not exist: ${sanitize(coerceText(id), 60)}`,
	remedy: `Choose "${field}" from the list again.`,
});

/** Findings that one error names. */
const mostShown = 6;

const goAheadAnyway = 'To go ahead anyway, turn off "Check Before Sending" in Options.';

/**
 * One finding is the message; several are counted there and listed below it, each in a line of its own.
 *
 * @param howToGoAhead a sentence, or ''
 */
export function refusalOf(findings: Finding[], howToGoAhead: string): InvalidInput {
	const [first] = findings;
	if (first !== undefined && findings.length === 1) {
		return new InvalidInput(first.code, first.problem, `${first.remedy} ${howToGoAhead}`.trim());
	}
	const lines = findings
		.slice(0, mostShown)
		.map(({ problem, remedy }, index) => `${index + 1}. ${problem}. ${remedy}`);
	const others = findings.length - lines.length;
	if (others > 0) lines.push(`And ${others} more.`);
	return new InvalidInput(
		'problems-found',
		`${findings.length} problems found; nothing was sent`,
		[...lines, howToGoAhead].join('\n').trim(),
	);
}

/** If a list cannot be read, its records must not look as if they were missing. */
function checkFailed({ failure }: ServiceError): ServiceError {
	return new ServiceError({
		...failure,
		code: 'checks-incomplete',
		message: `The checks before sending could not be completed: ${failure.message}`,
		description: `${failure.description} To go ahead without these checks, turn off "Check Before Sending" in Options.`,
		effect: 'none',
	});
}

/** Checks for all foreseeable problems before an email is sent that can't be recalled, and reports them together. */
export function preflight(check: Check): DraftStep {
	return async (draft) => {
		const { item, query, body } = draft;
		if (!flagParam(item, 'options.preflight', 'Check Before Sending', true)) return;
		const findings = await check(draft, { ...query, ...body }, recentListsOf(draft)).catch(
			(error: unknown) => {
				throw error instanceof ServiceError ? checkFailed(error) : error;
			},
		);
		const problems = findings.filter(({ isUnclear }) => !isUnclear);
		const doubts = findings.filter(({ isUnclear }) => isUnclear);
		const further = [
			goAheadAnyway,
			...doubts.map(({ problem, remedy }) => `Also: ${problem}. ${remedy}`),
		];
		if (problems.length > 0) throw refusalOf(problems, further.join(' '));
	};
}
