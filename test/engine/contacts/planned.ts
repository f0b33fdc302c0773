import type { IDataObject, INode } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import { chosen } from '../rows';
import type { Account } from './support';

export const OTHER = 22;
export const GROUP = 51;

export const mirror = {
	delete: { operation: 'sync', missing: 'delete' },
	move: {
		operation: 'sync',
		missing: 'moveToContactType',
		missingContactTypeId: chosen(OTHER),
	},
	addToGroup: {
		operation: 'sync',
		missing: 'addToUnsubscribeGroup',
		missingUnsubscribeGroupId: chosen(GROUP),
	},
};

/** The rows of a dry run; the requests for it are forgotten. */
export async function planOf(
	account: Account,
	parameters: IDataObject,
	input: IDataObject[],
): Promise<IDataObject[]> {
	const options = {
		...limits({ maxRemovalPercent: 100 }),
		...(parameters.options as IDataObject),
	};
	const { items } = await account.run({ ...parameters, dryRun: true, options }, input);
	account.state.journal.clear();
	return items.map(({ json }) => json);
}

/** The rows as a table keeps them: objects are texts there, and so are numbers. */
export const stored = (rows: IDataObject[]): IDataObject[] =>
	rows.map((row) =>
		Object.fromEntries(
			Object.entries(row).map(([key, value]) => [
				key,
				typeof value === 'object' ? JSON.stringify(value) : String(value),
			]),
		),
	);

export const apply = async (
	account: Account,
	rows: IDataObject[],
	options: IDataObject = {},
	node: Partial<INode> = {},
) => await account.run({ operation: 'applyPlan', options }, rows, node);
