import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { createCountryLookup } from '../sync/country';
import { createAutomaticMapping } from '../sync/fields';
import { readEnvelope } from '../transport/answer';
import type { Complete } from '../transport/endpoint';
import { InvalidInput } from '../transport/inputs';
import { locationsPath } from '../transport/request';
import { runOf } from '../transport/run';

/** The parameter of a resource mapper, as n8n hands it out. */
interface MapperValue {
	mappingMode?: 'autoMapInputData' | 'defineBelow';
	value?: IDataObject | null;
}

/**
 * What an item says about a contact, by API field name: as mapped by hand, or read from the item's
 * own keys, which evaluates no expression.
 */
export function contactValues(context: IExecuteSingleFunctions): IDataObject {
	const mapper = context.getNodeParameter('fields', {}) as MapperValue;
	if (mapper.mappingMode !== 'autoMapInputData') return mapper.value ?? {};
	const read = runOf(context).keep('automaticMapping', createAutomaticMapping);
	return read(context.getInputData().json).values as IDataObject;
}

/** The service wants a country's id (19, 23); people also write names and ISO codes. The lookup (50) is read once. */
export const resolveCountry: Complete = async (context, body, _query, read) => {
	const given = body.country;
	if (typeof given !== 'string' || /^\d+$/.test(given)) return;
	const lookup = await runOf(context).keep('countries', async () =>
		createCountryLookup(readEnvelope(await read(locationsPath), { changesData: false })),
	);
	const found = lookup.find(given);
	if ('problem' in found) {
		throw new InvalidInput(
			`"Country" ${found.problem}`,
			'Write the country as the service does, as an ISO code, or as its ID.',
		);
	}
	body.country = found.id;
};
