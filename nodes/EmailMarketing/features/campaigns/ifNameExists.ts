import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { fetchList } from '../../service/lists';
import type { Draft } from '../../run/operation';
import { resolveAgain, resolveExisting } from '../../run/sameRecord';
import type { ExistingRecords } from '../../run/sameRecord';
import { Starts } from '../../run/writer/starts';
import { InvalidInput } from '../../params/invalidInput';
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

/** How the starts of an execution name a creation of which nobody knows whether it succeeded. */
export const creationKey = (draft: Draft): string => `${draft.run.service} create ${nameOf(draft)}`;

/** The list may not show the campaign yet. */
function refuseUncertain(draft: Draft): void {
	const starter = new Starts(draft.run).starterOf(creationKey(draft), draft.item);
	if (starter === undefined) return;
	throw new InvalidInput(
		'earlier-item-uncertain',
		`The campaign named ${quote(nameOf(draft))} may have been saved by ${starter}, but its response was lost`,
		'Check the service, and run the node again with this item if it is still needed.',
	);
}

const existingNames: ExistingRecords = {
	parameter: { path: 'ifNameExists', label: 'If Name Exists', default: 'fail' },
	key: nameOf,
	find: async (draft) => {
		const byName = await draft.run.recent('newestByName', async () =>
			newestByName(await fetchList(draft.client, endpoints.singleSend.getAll)),
		);
		const record = byName.get(nameOf(draft));
		if (record === undefined) refuseUncertain(draft);
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
