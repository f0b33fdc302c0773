import { endpoints } from '../../service/endpoints';
import type { RecordDetails } from '../../run/mergeCurrent';
import type { Draft } from '../../run/operation';
import { existingChoice } from '../../run/resolveExisting';
import type { ExistingRecords } from '../../run/resolveExisting';
import { toContacts } from './syncReads';
import type { ListedContact } from './types';

/** Where an update reads the current contact. */
export const contactDetails: RecordDetails = {
	details: endpoints.contact.get,
	id: 'contact_id',
	label: 'Contact',
};

export const ifExistsLabel = 'If Contact Exists';
export const ifExistsParameter: ExistingRecords['parameter'] = {
	path: 'ifContactExists',
	label: ifExistsLabel,
	default: 'return',
};

/** The contacts of the account, read once per run. */
export async function contactsOf(draft: Draft): Promise<ListedContact[]> {
	return await draft.run.memoize('contacts', async () =>
		toContacts(await draft.run.cachedList(draft, endpoints.contact.getAll)),
	);
}

/** Reads what "If Contact Exists" depends on, if the choice depends on anything. */
export async function readExistingContacts(draft: Draft): Promise<void> {
	if (existingChoice(draft.run, ifExistsParameter, draft.item) !== 'create')
		await contactsOf(draft);
}
