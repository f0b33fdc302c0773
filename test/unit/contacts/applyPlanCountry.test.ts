import type { IDataObject } from 'n8n-workflow';

import { applyPlan } from '../../../nodes/EmailMarketing/features/sync/savedPlan/applyPlan';
import { syncContacts } from '../../../nodes/EmailMarketing/features/sync/runSync';
import { syncVerbs, toItems } from '../../../nodes/EmailMarketing/features/contacts/output';
import { rowSnapshots } from '../../../nodes/EmailMarketing/features/sync/savedPlan/planSnapshot';
import { readPlanRows } from '../../../nodes/EmailMarketing/features/sync/savedPlan/planRows';
import { contact, item, TYPE } from './builders';
import { InMemoryService, syncOptions } from './inMemoryService';
import { runOf } from './syncRun';

const email = 'ada@example.com';

/** The service knows the country of a contact, but has no name for it in the list. */
function unnamedCountry(): InMemoryService {
	const service = new InMemoryService([contact(1, { email, country: '' })]);
	service.details = { 1: '77' };
	return service;
}

async function planOf(service: InMemoryService): Promise<IDataObject[]> {
	const items = [item(email, { first_name: 'Ada' })];
	const { rows, plan } = await syncContacts(
		items,
		service,
		syncOptions({ dryRun: true }),
		runOf(service),
	);
	const record = { runId: '1-0', contactTypeId: TYPE, durationMs: 0, requests: 0 };
	return toItems(rows, {
		...{ report: 'all', verbs: syncVerbs(true), dryRun: true, failuresAsErrors: false },
		planOf: rowSnapshots(plan),
		record: { ...record, startedAt: '', plannedAt: '' },
	}).map(({ json }) => json);
}

const apply = async (service: InMemoryService, rows: IDataObject[]) =>
	(await applyPlan(readPlanRows(rows), service, syncOptions({}), runOf(service))).rows;

describe('checked by the details', () => {
	test('a country that the list does not name is not taken for a changed one', async () => {
		const service = unnamedCountry();
		const rows = await apply(service, await planOf(service));
		expect(rows).toMatchObject([{ action: 'updated', body: { country: '77' } }]);
	});

	test('a country that the contact has got since then is', async () => {
		const service = unnamedCountry();
		const plan = await planOf(service);
		service.contacts = [contact(1, { email, country: 'Austria' })];
		const rows = await apply(service, plan);
		expect(rows).toMatchObject([{ action: 'failed', field: 'Country' }]);
		expect(service.writes).toEqual([]);
	});
});
