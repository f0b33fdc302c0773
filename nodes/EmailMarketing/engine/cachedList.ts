import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { readList, readRecords } from '../api/envelope';
import type { Read } from './operation';
import { lists } from '../api/http';
import type { ListName } from '../api/http';
import { runOf } from './runContext';

/**
 * All records of a list, read once for all items of the run.
 *
 * @throws ServiceError for every answer that is not a complete list
 */
export async function cachedList(
	context: IExecuteSingleFunctions,
	read: Read,
	name: ListName,
	query: IDataObject = {},
): Promise<IDataObject[]> {
	const { path, key } = lists[name];
	const readRows = name === 'dynamicContent' ? readList : readRecords;
	return await runOf(context).keep(
		`${path} ${JSON.stringify(query)}`,
		async () => readRows(await read(path, query), key, { changesData: false }) as IDataObject[],
	);
}
