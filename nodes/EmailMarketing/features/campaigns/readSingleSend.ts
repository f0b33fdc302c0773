import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { readRecord, unexpectedShape } from '../../service/envelope';
import type { Fields } from '../../service/form';
import { currentValues } from '../../run/mergeCurrent';
import type { Caller } from '../../run/operation';
import { encodeInput, missingIn, onMissing, readParameters } from '../../run/parse';
import { InvalidInput } from '../../params/invalidInput';
import type { Item } from '../../params/item';
import { choice, utr } from '../../params/validators';
import type { Inputs } from '../../params/validators';
import { isBlank, locatorValue } from '../../params/values';
import { labelOf } from '../../util/labels';
import type { Finding } from './checks/findings';
import { keptFields } from './singleSendFields';

/** The UTR of the existing single send that an item chooses; undefined for one of the item's own fields. */
export function existingUtr(item: Item): string | undefined {
	const label = 'New or Existing Campaign';
	const { campaign } = readParameters(item, {
		campaign: { ...choice('campaign', ['existing', 'new']), label },
	});
	if (campaign !== 'existing') return undefined;
	return String(readParameters(item, { utr: utr('singleSendUtr', 'Campaign') }).utr);
}

/** A single send that exists (40), with its fields as requests have them. */
export async function readExisting(
	{ item, client }: Caller,
	utr: string,
): Promise<{ record: IDataObject; fields: Fields }> {
	const query = { utr };
	const endpoint = endpoints.singleSend.get;
	return await client.read({ endpoint, query }, (response, info) => {
		const record = readRecord(response, endpoint.key, info);
		const fields = currentValues(keptFields, record, { body: {}, item }, (field) =>
			unexpectedShape(`"${labelOf(field)}" is missing or not valid`, response, info),
		);
		return { record, fields };
	});
}

const missing = (label: string): Finding => ({
	code: 'value-required',
	field: label,
	problem: `"${label}" is required but empty`,
	...onMissing,
});

/** The required fields of a single send that are missing. */
export const missingFields = (fields: Fields, inputs: Inputs): Finding[] =>
	missingIn(inputs, fields).map(missing);

/** The fields of an item that are valid, and a finding for each that is not. */
export function readFields(item: Item, inputs: Inputs): { fields: Fields; findings: Finding[] } {
	const fields: Fields = {};
	const findings = new Map<string, Finding>();
	const add = (finding: Finding) => findings.set(finding.problem, finding);
	for (const [name, input] of Object.entries(inputs)) {
		const field = input.label ?? labelOf(name);
		const value = item.param(input.parameter, '');
		try {
			const encoded = encodeInput(item, name, input, value);
			if (encoded !== undefined) fields[name] = encoded;
			else if (input.required) add(missing(field));
		} catch (error) {
			const code = isBlank(locatorValue(value)) ? 'value-required' : 'value-invalid';
			const { message: problem, remedy } = invalidInputOf(error);
			add({ code, field, problem, remedy });
		}
	}
	return { fields, findings: [...findings.values()] };
}

/** @throws any error other than InvalidInput */
export function invalidInputOf(error: unknown): InvalidInput {
	if (error instanceof InvalidInput) return error;
	throw error;
}
