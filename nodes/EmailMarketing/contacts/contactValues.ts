import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { createCountryLookup } from './country';
import { createAutomaticMapping } from './fields';
import { createMappedReader } from './mapped';
import type { Mapper } from './mapped';
import { readEnvelope } from '../api/envelope';
import type { Enrich } from '../engine/operation';
import { InvalidInput } from '../params/validators';
import { locationsPath } from '../api/http';
import { runOf } from '../engine/runContext';

type ReadContact = (context: IExecuteSingleFunctions) => IDataObject;

function createReader(context: IExecuteSingleFunctions): ReadContact {
	const { mappingMode, value } = (context.getNode().parameters.fields ?? {}) as Mapper;
	if (mappingMode === 'autoMapInputData') {
		const read = createAutomaticMapping();
		return (item) => read(item.getInputData().json).values as IDataObject;
	}
	const readers = Object.entries(value ?? {}).map(
		([field, mapped]) => [field, createMappedReader(context, mapped)] as const,
	);
	return (item) => {
		const { json } = item.getInputData();
		const values = readers.map(([field, read]) => [
			field,
			read(json, () => item.getNodeParameter(`fields.value.${field}`)),
		]);
		return Object.fromEntries(values) as IDataObject;
	};
}

/** What an item says about a contact, by API field name: as mapped by hand, or read from the item's own keys. */
export function contactValues(context: IExecuteSingleFunctions): IDataObject {
	return runOf(context).keep('contactValues', () => createReader(context))(context);
}

/** The service wants a country's id (19, 23); people also write names and ISO codes. The lookup (50) is read once. */
export const resolveCountry: Enrich = async (context, body, _query, read) => {
	if (typeof body.country !== 'string') return;
	const given = body.country.trim();
	if (/^0*[1-9]\d{0,14}$/.test(given)) {
		body.country = String(Number(given));
		return;
	}
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
