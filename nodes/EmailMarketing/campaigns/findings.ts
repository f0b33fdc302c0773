import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { ServiceError } from '../api/envelope';
import type { Enrich } from '../engine/operation';
import { InvalidInput } from '../params/validators';
import type { Fields } from '../params/validators';
import { cachedList } from '../engine/cachedList';
import { coerceText } from '../util/coerce';
import type { ListName } from '../api/http';
import { quote } from '../util/text';

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
		fields.map((field) => coerceText(record[field])).find((name) => name !== '') ??
			coerceText(record.id),
	);

export function withId(records: IDataObject[], id: unknown): IDataObject | undefined {
	const wanted = coerceText(id);
	return wanted === '' ? undefined : records.find((record) => coerceText(record.id) === wanted);
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
function couldNotLook({ failure }: ServiceError): ServiceError {
	return new ServiceError({
		...failure,
		message: `The checks before sending could not be made: ${failure.message}`,
		description: `${failure.description} Nothing was sent for this item. To do without these checks, switch off "Check Before Sending" in Options.`,
		effect: 'none',
	});
}

/**
 * Looks, before an email goes out that cannot be called back, for what can be known to go wrong, and
 * names all of it at once.
 */
export function preflight(check: Check): Enrich {
	return async (context, body, query, read) => {
		if (context.getNodeParameter('options.preflight', true) === false) return;
		const look: Look = async (list, of) => await cachedList(context, read, list, of);
		const findings = await check(context, { ...query, ...body }, look).catch((error: unknown) => {
			throw error instanceof ServiceError ? couldNotLook(error) : error;
		});
		if (findings.length > 0) throw refusalOf(findings);
	};
}
