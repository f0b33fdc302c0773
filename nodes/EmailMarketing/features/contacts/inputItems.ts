import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../../run/runContext';
import { formulaOf } from '../../params/expression';
import type { Formula } from '../../params/expression';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { isBlank } from '../../params/values';
import { customFieldName } from '../../records/customFields';
import { quote, truncateList } from '../../util/text';
import {
	CONTACT_FIELDS,
	createAutomaticMapping,
	FIELD_LABELS,
	mapKeys,
	falseOrZeroAsEmpty,
} from './fields';
import type { ContactField, ContactInput } from './fields';

/** The parameter of a resource mapper, as it is saved. */
interface Mapper {
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

/** The functions that read these fields, which are mapped by hand. */
const fieldReaders = (
	{ isTool }: RunContext,
	mapped: IDataObject,
	fields: readonly string[],
): Array<[field: string, read: (item: Item) => unknown]> =>
	fields.map((field) => {
		const read = createMappedReader(mapped[field], isTool);
		const readOwn = (item: Item) => read(item, () => item.param(`fields.value.${field}`, ''));
		return [field, customFieldName(field) ? readOwn : (item) => falseOrZeroAsEmpty(readOwn(item))];
	});

type Target = Exclude<keyof typeof FIELD_LABELS, 'contact_type_id' | 'external_id'>;

/** Whether an expression has text around it, or is one of several. n8n makes one text of them. */
const isMixed = (given: unknown): boolean =>
	typeof given === 'string' && given.startsWith('=') && !/^=\{\{(?:(?!\}\}).)*\}\}$/s.test(given);

function readByHand(run: RunContext, mapped: IDataObject): ContactInput[] {
	const targets: Target[] = ['contact_id', ...CONTACT_FIELDS];
	const keys = [...targets, ...Object.keys(mapped).filter((key) => customFieldName(key))];
	// The editor saves a field of the mapper that is left empty as null or ''.
	const given = keys.filter((key) => (mapped[key] ?? '') !== '');
	const readers = fieldReaders(run, mapped, given);
	return run.items.map((item) => {
		const input: ContactInput = { item: item.index, values: {} };
		for (const [key, read] of readers) {
			const customField = customFieldName(key);
			try {
				const mappedValue = read(item);
				// A text around missing fields is a missing value, which never clears a field.
				const value = isBlank(mappedValue) && isMixed(mapped[key]) ? undefined : mappedValue;
				if (customField !== undefined) (input.customFields ??= []).push([customField, value]);
				else if (key === 'contact_id') input.contactId = value;
				else input.values[key as ContactField] = value;
			} catch (error) {
				const problem = error instanceof Error ? error.message : String(error);
				const field = customField ?? FIELD_LABELS[key as Target];
				input.unreadable ??= {
					code: 'single-value-expected',
					field,
					problem: `has an expression that failed: ${problem}`,
				};
			}
		}
		return input;
	});
}

/**
 * The contact values of the input items, read as the resource mapper `fields` says. Automatic mapping evaluates no
 * expression, and a simple expression of a field that is mapped by hand is evaluated once in a run.
 */
export function readInputItems(run: RunContext): ContactInput[] {
	const mapper = run.node.parameters.fields as Mapper | undefined;
	if (mapper?.mappingMode === 'defineBelow') return readByHand(run, mapper.value ?? {});
	const read = createAutomaticMapping();
	return run.items.map(({ index, json }) => ({ ...read(json), item: index }));
}

/** How items are read if their keys are mapped automatically. */
export function automaticMapping(
	run: RunContext,
): ReturnType<typeof createAutomaticMapping> | undefined {
	const { mappingMode } = (run.node.parameters.fields ?? {}) as Mapper;
	if (mappingMode !== 'autoMapInputData') return undefined;
	return run.memoize('automatic mapping', createAutomaticMapping);
}

function createReader(run: RunContext): (item: Item) => IDataObject {
	const read = automaticMapping(run);
	if (read) {
		return ({ json }) => {
			const { values, contactTypeId } = read(json);
			return { ...values, contact_type_id: contactTypeId } as IDataObject;
		};
	}
	const mapped = (run.node.parameters.fields as Mapper | undefined)?.value ?? {};
	const targets: readonly string[] = [...CONTACT_FIELDS, 'contact_type_id'];
	const readers = fieldReaders(
		run,
		mapped,
		Object.keys(mapped).filter((key) => targets.includes(key)),
	);
	return (item) =>
		Object.fromEntries(
			readers.map(([field, readField]) => [field, readField(item)]),
		) as IDataObject;
}

/** The values of an item for a contact, by API field name: mapped by hand, or read from the keys of the item. */
export function contactValues(run: RunContext, item: Item): IDataObject {
	return run.memoize('contact values', () => createReader(run))(item);
}

/** Fields that an item may lack without failing, although most contacts have them. */
const USUAL = ['first_name', 'last_name', 'country'] as const;

/**
 * While the workflow is being built: which input fields neither automatic mapping nor an expression uses, and which usual
 * fields no item has.
 *
 * @param read reads the items; not called in other modes
 * @param used the names of fields that an option reads
 */
export function unusedFields(
	run: RunContext,
	read: () => readonly ContactInput[],
	used: readonly unknown[] = [],
): string[] {
	const mapper = run.node.parameters.fields as Mapper | undefined;
	if (run.mode !== 'manual' || mapper?.mappingMode === 'defineBelow') return [];
	const keys = Object.keys(run.items[0]?.json ?? {});
	const taken = new Set<unknown>([...mapKeys(keys).flatMap(([, own]) => own), ...used]);
	const expressions =
		JSON.stringify(run.node.parameters)
			.match(/"=(?:[^"\\]|\\.)*"/g)
			?.join() ?? '';
	const isTaken = (key: string) =>
		taken.has(key) || expressions.includes(key) || customFieldName(key) !== undefined;
	const unused = keys.filter((key) => !isTaken(key));
	if (unused.length === 0) return [];
	const inputs = read();
	const empty = USUAL.filter((field) => inputs.every(({ values }) => isBlank(values[field])));
	const labels = empty.map((field) => FIELD_LABELS[field]).join(', ');
	return [
		`Input fields that are not used: ${truncateList(unused, 5)}. To use one, choose "Map Each Column Manually".${labels && ` Contact fields without a value in any item: ${labels}.`}`,
	];
}

/**
 * The input items with their external IDs.
 *
 * @param field the field of the input that has them; undefined if there is none
 * @throws InvalidInput if no item has the field
 */
export function withExternalIds(
	{ items }: RunContext,
	inputs: ContactInput[],
	field: string | undefined,
): ContactInput[] {
	if (field === undefined) return inputs;
	if (!items.some(({ json }) => Object.hasOwn(json, field))) {
		throw new InvalidInput(
			'external-id-missing',
			`No input item has the field ${quote(field)}, which is set as "External ID Field"`,
			'Enter the name of a field of the input, or remove the option.',
		);
	}
	return inputs.map((input, index) => ({ ...input, externalId: items[index]?.json[field] }));
}
