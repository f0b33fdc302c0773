import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { flatCustomFields } from '../../records/customFields';
import { outputFieldOf } from '../../params/file';
import type { RunContext } from '../../run/runContext';
import { byteOrderMark, csvText } from '../../util/csv';
import { otherAddresses, summaryOf, warnOfNotFound } from './find';
import { forEachPerson } from './people';
import { places } from './places';
import type { Found } from './places';

/** Data for a complete answer to an access request that has to come from elsewhere. */
const notIncluded = [
	'Which campaigns the person received, opened or clicked: the API does not return this. Ask the service.',
	'Campaigns with the address as sender or reply address: see Campaign: Get Many.',
	'Segments whose recipients the service determines only when it sends: the API does not list them.',
	'Data of the person in n8n: executions, pinned data, data tables and binary files.',
	'Copies outside of the service: the sources of the contacts, exported files and backups.',
];

const columns = [
	...['source', 'endpoint', 'read_at', 'list', 'record_id', 'deleted', 'address_field'],
	...['field', 'value'],
];

/** One row for each value of a record. */
function* rowsOf(found: readonly Found[]): Generator<unknown[]> {
	for (const { place, endpoint, readAt, list, id, isDeleted, field: matched, record } of found) {
		const { custom_field: _, ...fields } = record;
		const isGone = isDeleted ? 'yes' : 'no';
		const origin = [places[place].title, endpoint, readAt, list, id, isGone, matched];
		for (const [field, value] of Object.entries({ ...fields, ...flatCustomFields(record) })) {
			yield [...origin, field, value];
		}
	}
}

const documentOf = ({
	place,
	endpoint,
	readAt,
	list,
	isDeleted,
	field,
	record,
}: Found): IDataObject => ({
	source: places[place].title,
	...{ endpoint, readAt, list, isDeleted, addressField: field, record },
});

/** Person: Export. One document and one CSV file for each item. */
export async function exportPeople(run: RunContext): Promise<INodeExecutionData[]> {
	run.showHint(
		'The export cannot include what the API does not return, such as which campaigns a person received. "notIncluded" says what to ask for elsewhere.',
	);
	const items = await forEachPerson(run, async (reading) => {
		const snapshot = await reading;
		return async (person) => {
			const { item } = person;
			const found = snapshot.get(person.key) ?? [];
			const text = csvText(columns, rowsOf(found), { spreadsheetSafe: true });
			const file = await run.helpers.prepareBinaryData(
				Buffer.from(byteOrderMark + text),
				'person.csv',
				'text/csv',
			);
			const json = {
				...summaryOf(person, found),
				otherAddresses: otherAddresses(person, found),
				exportedAt: new Date().toISOString(),
				records: found.map(documentOf),
				notIncluded,
			};
			return [{ json, binary: { [outputFieldOf(item)]: file } }];
		};
	});
	warnOfNotFound(run, items);
	return items;
}
