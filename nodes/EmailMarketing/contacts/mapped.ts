import type { IDataObject } from 'n8n-workflow';

import { isTool } from '../engine/runContext';

/** The parameter of a resource mapper, as it is saved. */
export interface Mapper {
	mappingMode?: 'autoMapInputData' | 'defineBelow';
	value?: IDataObject | null;
}

/**
 * @param json the item
 * @param workOut lets n8n work out what the field is mapped to
 * @returns the value of the field
 */
type ReadMapped = (json: IDataObject, workOut: () => unknown) => unknown;

// A field of the input that was dragged into the mapper.
const DRAGGED = /^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|\[(["'])([^"'\\]+)\2\])\s*\}\}$/;

/**
 * Makes the function that reads one field of a mapper. A field of the input is read from the item itself: as an
 * expression, it would take n8n a third of a millisecond. A tool does not see the item of its agent, which `$json` is.
 *
 * @param context the running node
 * @param mapped what the field is mapped to, as it is saved
 */
export function createMappedReader(
	context: Parameters<typeof isTool>[0],
	mapped: unknown,
): ReadMapped {
	if (typeof mapped !== 'string' || !mapped.startsWith('=')) return () => mapped;
	const match = DRAGGED.exec(mapped);
	const key = match?.[1] ?? match?.[3];
	if (key === undefined || isTool(context)) return (_json, workOut) => written(workOut());
	return (json, workOut) => {
		const value = Object.hasOwn(json, key) ? json[key] : undefined;
		return typeof value === 'object' && value !== null ? written(workOut()) : value;
	};
}

/** Writes out a time, such as `{{ $now }}` gives. */
function written(value: unknown): unknown {
	const isTime = typeof (value as { toISO?: unknown } | null)?.toISO === 'function';
	return isTime ? String(value) : value;
}
