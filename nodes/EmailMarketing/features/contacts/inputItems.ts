import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../../run/runContext';
import { InvalidInput } from '../../params/invalidInput';
import { isBlank } from '../../params/values';
import { customFieldName } from '../../records/customFields';
import { quote, truncateList } from '../../util/text';
import { CONTACT_FIELDS, createAutomaticMapping, FIELD_LABELS, mapKeys } from './fields';
import type { ContactField, ContactInput } from './fields';
import { createMappedReader } from './mapped';
import type { Mapper } from './mapped';

type Target = Exclude<keyof typeof FIELD_LABELS, 'contact_type_id' | 'external_id'>;

/** Whether an expression has text around it, or is one of several. n8n makes one text of them. */
const isMixed = (given: unknown): boolean =>
	typeof given === 'string' && given.startsWith('=') && !/^=\{\{(?:(?!\}\}).)*\}\}$/s.test(given);

function readByHand({ items, isTool }: RunContext, mapped: IDataObject): ContactInput[] {
	const targets: Target[] = ['contact_id', ...CONTACT_FIELDS];
	const keys = [...targets, ...Object.keys(mapped).filter((key) => customFieldName(key))];
	// The editor saves a field of the mapper that is left empty as null or ''.
	const readers = keys
		.filter((key) => (mapped[key] ?? '') !== '')
		.map((key) => [key, createMappedReader(mapped[key], isTool)] as const);
	return items.map((item) => {
		const input: ContactInput = { item: item.index, values: {} };
		for (const [key, read] of readers) {
			const customField = customFieldName(key);
			try {
				const mappedValue = read(item, () => item.param(`fields.value.${key}`, ''));
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

/**
 * A note, while the workflow is being built, about input fields that neither automatic mapping nor an expression uses.
 *
 * @param used the names of fields that an option reads
 */
export function ignoredFieldsNote(run: RunContext, used: readonly unknown[]): string[] {
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
	const ignored = keys.filter((key) => !isTaken(key));
	if (ignored.length === 0) return [];
	return [
		`Input fields that are not used: ${truncateList(ignored, 5)}. To use one, choose "Map Each Column Manually".`,
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
