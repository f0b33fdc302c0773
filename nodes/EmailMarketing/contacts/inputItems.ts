import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { CONTACT_FIELDS, createAutomaticMapping, FIELD_LABELS, type ContactInput } from './fields';
import { createMappedReader } from './mapped';
import type { Mapper } from './mapped';

type Target = keyof typeof FIELD_LABELS;

function readByHand(context: IExecuteFunctions, mapped: IDataObject): ContactInput[] {
	const targets: Target[] = ['contact_id', ...CONTACT_FIELDS];
	// The editor saves a field of the mapper that is left empty as null or ''.
	const readers = targets
		.filter((target) => (mapped[target] ?? '') !== '')
		.map((target) => [target, createMappedReader(context, mapped[target])] as const);
	return context.getInputData().map(({ json }, item) => {
		const input: ContactInput = { values: {} };
		for (const [target, read] of readers) {
			try {
				const value = read(json, () => context.getNodeParameter(`fields.value.${target}`, item));
				if (target === 'contact_id') input.contactId = value;
				else input.values[target] = value;
			} catch (error) {
				const problem = error instanceof Error ? error.message : String(error);
				const field = FIELD_LABELS[target];
				input.unreadable = { field, problem: `cannot be worked out: ${problem}` };
			}
		}
		return input;
	});
}

/**
 * Reads what the input items say about contacts, as the resource mapper `fields` says. Automatic mapping, and fields
 * mapped by hand to one field of the item, evaluate no expression.
 *
 * @param context the running node
 * @returns one entry per input item
 */
export function readInputItems(context: IExecuteFunctions): ContactInput[] {
	const mapper = context.getNode().parameters.fields as Mapper | undefined;
	if (mapper?.mappingMode === 'defineBelow') return readByHand(context, mapper.value ?? {});
	const read = createAutomaticMapping();
	return context.getInputData().map(({ json }) => read(json));
}
