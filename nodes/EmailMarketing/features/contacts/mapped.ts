import type { IDataObject } from 'n8n-workflow';

import { formulaOf } from '../../params/expression';
import type { Formula } from '../../params/expression';
import type { Item } from '../../params/item';

/** The parameter of a resource mapper, as it is saved. */
export interface Mapper {
	mappingMode?: 'autoMapInputData' | 'defineBelow';
	value?: IDataObject | null;
}

/** @param evaluate lets n8n evaluate what the field is mapped to */
type ReadMapped = (item: Item, evaluate: () => unknown) => unknown;

/**
 * Makes the function that reads one field of a mapper for the items of a run. n8n takes a third of a millisecond for
 * each expression, however simple it is, so a simple one is worked out here. The first item with a value shows whether
 * n8n accepts it and gets the same result: depending on its version, n8n refuses some field names, for example.
 *
 * @param mapped what the field is mapped to, as it is saved
 * @param isTool whether `$json` is the item of an agent, which its tools do not see
 */
export function createMappedReader(mapped: unknown, isTool: boolean): ReadMapped {
	if (typeof mapped !== 'string' || !mapped.startsWith('=')) return () => mapped;
	let formula = isTool ? undefined : formulaOf(mapped.slice(1));
	let isConfirmed = false;
	return (item, evaluate) => {
		const result = formula && resultOf(formula, item);
		if (isConfirmed && result !== undefined) return result.value;
		const value = written(evaluate());
		if (result !== undefined) {
			const isSame = Object.is(result.value, value);
			isConfirmed = isSame && value !== undefined;
			if (!isSame) formula = undefined;
		}
		return value;
	};
}

function resultOf(formula: Formula, item: Item): { value: unknown } | undefined {
	try {
		return { value: formula(item) };
	} catch {
		return undefined;
	}
}

/** Formats a time, such as the result of `{{ $now }}`. */
function written(value: unknown): unknown {
	const isTime = typeof (value as { toISO?: unknown } | null)?.toISO === 'function';
	return isTime ? String(value) : value;
}
