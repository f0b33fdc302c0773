import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { fetchList } from '../../service/lists';
import type { Draft } from '../../run/operation';
import { resolveAgain, resolveExisting } from '../../run/sameRecord';
import type { ExistingRecords } from '../../run/sameRecord';
import { refuseLost } from './lostDeeds';
import type { LostDeed } from './lostDeeds';
import { isDeleted } from '../../records/recordKind';
import { coerceNumber, coerceText } from '../../util/coerce';
import { quote } from '../../util/text';
import { summaryOfRecord } from './summary';

/** The same output fields as after a creation. */
const existingFields = (record: IDataObject): IDataObject => ({
	utr: record.utr,
	...summaryOfRecord(record),
});

/** The newest single send of each name. */
function newestByName(sends: IDataObject[]): Map<string, IDataObject> {
	const newest = new Map<string, IDataObject>();
	for (const send of sends.filter((one) => !isDeleted(one))) {
		const name = coerceText(send.single_send_name).trim();
		const other = newest.get(name);
		if (!other || coerceNumber(send.id) > coerceNumber(other.id)) newest.set(name, send);
	}
	return newest;
}

const nameOf = ({ body }: Draft): string => String(body.single_send_name).trim();

/** A creation (38), as `refuseLost` knows it. */
export const creationOf = (draft: Draft): LostDeed => ({
	key: `create ${nameOf(draft)}`,
	deed: `The campaign named ${quote(nameOf(draft))} may have been saved`,
	remedy:
		'Check the service. If the campaign is not there, start a new execution, or set "If Name Exists" to "Create Another".',
});

const existingNames: ExistingRecords = {
	parameter: { path: 'ifNameExists', label: 'If Name Exists', default: 'fail' },
	key: nameOf,
	find: async (draft) => {
		const byName = await draft.run.recent('newestByName', async () =>
			newestByName(await fetchList(draft.client, endpoints.singleSend.getAll)),
		);
		const record = byName.get(nameOf(draft));
		// The list may not show it yet.
		if (record === undefined) refuseLost(draft, creationOf(draft));
		return record && existingFields(record);
	},
	existing: (output) => ({
		...output,
		created: false,
		message: 'A campaign with this name already exists; nothing was created',
	}),
	existsCode: 'single-send-exists',
	nounOf: (draft) => `campaign named ${quote(nameOf(draft))}`,
	remedy:
		'Change "Campaign Name", or set "If Name Exists" to "Return Existing" or "Create Another". To change the existing campaign, use "Campaign: Update".',
};

/** "If Name Exists" (38), from the list (37). */
export const ifNameExists = resolveExisting(existingNames);

/** The same directly before the request. */
export const ifNameExistsAgain = resolveAgain(existingNames);
