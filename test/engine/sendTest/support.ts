import type { IDataObject } from 'n8n-workflow';

import { NOW } from '../records';
import { chosen } from '../rows';
import { useService, type Service } from '../sandbox';

export const sendTest: IDataObject = {
	resource: 'singleSend',
	operation: 'sendTest',
	campaign: 'new',
	singleSendName: 'Spring',
	subject: 'It is spring',
	preheader: 'At last',
	senderId: chosen('81'),
	unsubscribeGroupId: chosen('51'),
	templateSource: 'template',
	templateId: chosen('2'),
	testContactTypeId: chosen('23'),
	testListName: 'test',
	maxTestRecipients: 20,
};

export const TESTERS = ['tess@example.com', 'tom@example.com'];

/** A service that also has a contact type with people who test. */
export function useTests(): { service: Service } {
	const test = useService({ storedContent: 'sent', dynamicContent: 'all' });
	beforeEach(() => plantTesters(test.service));
	return test;
}

/** @returns the ID of their contact type */
export function plantTesters({ state }: Pick<Service, 'state'>): number {
	const { id } = state.tables.contactTypes.add({ name: 'Test list' }, NOW);
	for (const email of TESTERS) addTester(state, email, id);
	return id;
}

export const addTester = ({ tables }: Service['state'], email: string, type = 23) =>
	tables.contacts.add({ contact_type_id: type, email, country: 85 }, NOW);

/** What happens right before the service handles a request, counted from 0 and counting those of the test only. */
export function onRequest(
	{ state }: Service,
	happens: (n: number, method: string, path: string) => void,
): void {
	const { journal } = state;
	const add = journal.add.bind(journal);
	let n = 0;
	jest.spyOn(journal, 'add').mockImplementation((entry, parts) => {
		happens(n++, entry.method, entry.path);
		return add(entry, parts);
	});
}
