import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { operationError } from '../service/errors';
import { fetchList } from '../service/lists';
import { isExpression, locatorValue } from '../params/values';
import { isPresent } from '../records/recordKind';
import type { Parent, RecordKind } from '../records/recordKind';
import { records } from '../records/records';
import { isTestSend } from '../records/testName';
import { coerceNumber, coerceText, isId, isUtr } from '../util/coerce';
import { choiceSources } from './choices';
import type { ChoiceFetcher, ChoiceSource, ChoiceSourceName } from './choices';
import { readForEditor } from './readForEditor';

/** @throws NodeOperationError where the list depends on a choice that has not been made */
export function recordChoices(name: ChoiceSourceName): ChoiceFetcher {
	return async (context) => {
		const sources: ChoiceSource[] = choiceSources[name];
		const lists = await Promise.all(
			sources.map(async ({ kind, toChoice }) => {
				const { list, parent } = kind;
				const query = parent && { [parent.field]: parentValue(context, parent) };
				const listed = await readForEditor(
					context,
					async (client) => await fetchList(client, list, query),
				);
				return withTestsLast(context, newestFirst(kind, listed))
					.filter((record) => isPresent(record, kind))
					.map(toChoice)
					.filter(({ value }) => value.trim() !== '');
			}),
		);
		return lists.flat();
	};
}

/** Campaigns are listed newest first, because people usually need the latest one. */
function newestFirst(kind: RecordKind, listed: IDataObject[]): IDataObject[] {
	if (kind !== records.singleSend) return listed;
	return [...listed].sort((a, b) => (coerceNumber(b.id) || 0) - (coerceNumber(a.id) || 0));
}

/** Test sends are offered only to be deleted. */
function withTestsLast(context: ILoadOptionsFunctions, all: IDataObject[]): IDataObject[] {
	const tests = all.filter(isTestSend);
	if (tests.length === 0) return all;
	const others = all.filter((record) => !isTestSend(record));
	const operation = context.getCurrentNodeParameter('operation');
	return operation === 'delete' || operation === 'deleteMany' ? [...others, ...tests] : others;
}

function parentValue(context: ILoadOptionsFunctions, { field, parameter, label }: Parent): string {
	const given = context.getCurrentNodeParameter(parameter);
	const value = coerceText(locatorValue(given)).trim();
	if (field === 'utr' ? isUtr(value) : isId(value)) return value;
	if (isExpression(given)) {
		throw operationError(
			context.getNode(),
			'choice-missing',
			`The list cannot be loaded, because "${label}" contains an expression`,
			{ description: 'Enter the value with an expression here, too.' },
		);
	}
	throw operationError(context.getNode(), 'choice-missing', `Choose "${label}" first`, {
		description: 'The list depends on it.',
	});
}
