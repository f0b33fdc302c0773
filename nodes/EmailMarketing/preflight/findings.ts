import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceFailure } from '../transport/answer';
import type { Complete } from '../transport/endpoint';
import { InvalidInput } from '../transport/inputs';
import type { Fields } from '../transport/inputs';
import { keptList } from '../transport/kept';
import { plainText } from '../transport/plain';
import type { ListName } from '../transport/request';
import { quote } from '../transport/words';

/** Something that would go wrong, and what to do about it. Both are whole sentences without the final period of the problem. */
export interface Finding {
	problem: string;
	remedy: string;
}

/** Gives all records of a list; it is read once for all items. */
export type Look = (list: ListName, query?: IDataObject) => Promise<IDataObject[]>;

export type Check = (
	context: IExecuteSingleFunctions,
	fields: Fields,
	look: Look,
) => Promise<Finding[]>;

export const nameOf = (record: IDataObject, ...fields: string[]): string =>
	quote(
		fields.map((field) => plainText(record[field])).find((name) => name !== '') ??
			plainText(record.id),
	);

export function withId(records: IDataObject[], id: unknown): IDataObject | undefined {
	const wanted = plainText(id);
	return wanted === '' ? undefined : records.find((record) => plainText(record.id) === wanted);
}

/** Findings that one error names. */
const mostShown = 6;

function refusalOf(findings: Finding[]): InvalidInput {
	const [first] = findings;
	const many = findings.length > 1;
	const shown = findings.slice(0, mostShown);
	const others = findings.length > mostShown ? [`and ${findings.length - mostShown} more`] : [];
	const number = (index: number) => (many ? `(${index + 1}) ` : '');
	return new InvalidInput(
		many
			? `${findings.length} things would go wrong: ${[...shown.map(({ problem }, index) => number(index) + problem), ...others].join('; ')}`
			: (first?.problem ?? ''),
		`${shown.map(({ remedy }, index) => number(index) + remedy).join(' ')} To go ahead all the same, switch off "Check Before Sending" in Options.`,
	);
}

/** A look that failed says nothing about the records: it must not be taken for one that found them missing. */
function couldNotLook({ failure }: ServiceFailure): ServiceFailure {
	return new ServiceFailure({
		...failure,
		message: `The checks before sending could not be made: ${failure.message}`,
		description: `${failure.description} Nothing was sent for this item. To do without these checks, switch off "Check Before Sending" in Options.`,
		carriedOut: 'no',
	});
}

/**
 * Looks, before an email goes out that cannot be called back, for what can be known to go wrong, and
 * names all of it at once.
 */
export function preflight(check: Check): Complete {
	return async (context, body, query, read) => {
		if (context.getNodeParameter('options.preflight', true) === false) return;
		const look: Look = async (list, of) => await keptList(context, read, list, of);
		const findings = await check(context, { ...query, ...body }, look).catch((error: unknown) => {
			throw error instanceof ServiceFailure ? couldNotLook(error) : error;
		});
		if (findings.length > 0) throw refusalOf(findings);
	};
}
