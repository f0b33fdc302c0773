import type { IDataObject, IExecuteSingleFunctions } from 'n8n-workflow';

import { readList, readRecords } from './answer';
import type { Read } from './endpoint';
import { lists } from './request';
import type { ListName } from './request';
import { runOf } from './run';

/**
 * All records of a list, read once for all items of the run.
 *
 * @throws ServiceFailure for every answer that is not a complete list
 */
export async function keptList(
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
