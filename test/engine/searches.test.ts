import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Tables } from '../../sandbox/store.ts';
import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { automation, NOW } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();
const count = 1500;
const paths = {
	places: 'GET /get/country-state-city',
	targets: ['GET /contacts-type', 'GET /segment/list'],
};

interface Searched {
	/** The table that gets 1,500 records, and the field that names each. */
	table?: keyof Tables;
	name: string;
	/** What else is in each record, and what has been chosen before. */
	fields?: IDataObject;
	parameters?: IDataObject;
	/** All requests of one search. */
	calls: string[];
}

const searches: Record<string, Searched> = {
	searchAutomations: { table: 'automations', name: 'automation_name', calls: ['GET /automations'] },
	searchAutomationSchedules: {
		table: 'automationSchedules',
		name: 'subject',
		fields: { automation_id: 30001 },
		parameters: { automationUtr: chosen(automation.utr) },
		calls: ['GET /automations/schedule'],
	},
	searchCities: { name: 'cities', calls: [paths.places] },
	searchContacts: {
		table: 'contacts',
		name: 'email',
		fields: { contact_type_id: 21 },
		calls: ['GET /contacts/list'],
	},
	searchContactTypes: { table: 'contactTypes', name: 'name', calls: ['GET /contacts-type'] },
	searchCountries: { name: 'countries', calls: [paths.places] },
	searchCustomFields: { table: 'customFields', name: 'field_name', calls: ['GET /custom-fields'] },
	searchDesignTemplates: {
		table: 'templates',
		name: 'template_name',
		calls: ['GET /get-design/template'],
	},
	searchGlobalUnsubscribes: {
		table: 'globalUnsubscribes',
		name: 'email_address',
		calls: ['GET /global-unsubscribes'],
	},
	searchNotificationRecipients: {
		table: 'notificationRecipients',
		name: 'email_address',
		calls: ['GET /notification-recipients'],
	},
	searchPeople: {
		table: 'contacts',
		name: 'email',
		fields: { contact_type_id: 21 },
		calls: ['GET /contacts/list'],
	},
	searchSegmentRecipients: {
		table: 'segmentRecipients',
		name: 'email',
		fields: { segment_id: 301 },
		parameters: { segmentId: chosen('301') },
		calls: ['GET /segment/email/list'],
	},
	searchSegments: { table: 'segments', name: 'segment_name', calls: ['GET /segment/list'] },
	searchSenders: { table: 'senders', name: 'nickname', calls: ['GET /senders'] },
	searchSingleSends: {
		table: 'singleSends',
		name: 'single_send_name',
		calls: ['GET /single-send/list'],
	},
	searchStates: { name: 'states', calls: [paths.places] },
	searchTargets: { table: 'segments', name: 'segment_name', calls: paths.targets },
	searchUnsubscribeGroupRecipients: {
		table: 'groupRecipients',
		name: 'email_address',
		fields: { unsubscribe_groups_id: 51 },
		parameters: { unsubscribeGroupId: chosen('51') },
		calls: ['GET /unsubscribes-groups/recipients-list'],
	},
	searchUnsubscribeGroups: {
		table: 'unsubscribeGroups',
		name: 'group_name',
		calls: ['GET /unsubscribes-groups'],
	},
};

const names = Array.from(
	{ length: count },
	(_value, index) => `zz${String(index).padStart(4, '0')}yy`,
);

function fill({ table, name, fields }: Searched): void {
	const { service } = test;
	if (table === undefined) {
		const list = names.map((entry, index) => ({ id: 100_001 + index, name: entry }));
		const message = { countries: [], states: [], cities: [], [name]: list };
		service.fault({ kind: 'shape', body: { status: 'success', message }, times: 20 });
		return;
	}
	for (const entry of names) {
		(service.state.tables[table] as Tables['contacts']).add(
			{ ...fields, [name]: entry } as never,
			NOW,
		);
	}
}

async function search(method: string, filter: string, token?: string) {
	const context = editorContext(searches[method]?.parameters ?? {}, {
		baseUrl: test.service.baseUrl,
		...keys,
	});
	const run = methods?.listSearch?.[method] as (
		this: ILoadOptionsFunctions,
		filter?: string,
		token?: string,
	) => Promise<INodeListSearchResult>;
	return await run.call(context, filter, token);
}

it('knows every search of records', () => {
	const { searchTimeZones: _, ...ofRecords } = methods?.listSearch ?? {};
	expect(Object.keys(searches).sort()).toEqual(Object.keys(ofRecords).sort());
});

it.each(Object.entries(searches))('%s finds each of 1,500', async (method, searched) => {
	fill(searched);
	const { service } = test;

	const { results, paginationToken } = await search(method, 'Z1487Y');
	expect(results.map(({ name }) => name.includes('zz1487yy'))).toEqual([true]);
	expect(paginationToken).toBeUndefined();
	expect(service.calls().sort()).toEqual(searched.calls);

	const found = new Set<unknown>();
	let pages = 0;
	let token: string | undefined;
	do {
		const page = await search(method, 'zz', token);
		for (const { value } of page.results) found.add(value);
		token = page.paginationToken as string | undefined;
		pages++;
	} while (token !== undefined);
	expect([found.size, pages]).toEqual([count, 3]);
	expect(service.violations()).toEqual([]);
});

it.each([
	['lodz', 'Łódź'],
	['strasse', 'Straße'],
	['kobenhavn', 'København'],
	['ÅLESUND', 'Ålesund'],
	['Encyclopædia', 'Encyclopaedia'],
	['office', 'Oﬃce'],
])('"%s" finds "%s"', async (typed, name) => {
	for (const each of ['Munich', name])
		test.service.state.tables.contactTypes.add({ name: each }, NOW);
	const { results } = await search('searchContactTypes', typed);
	expect(results.map((result) => result.name.replace(/ \(.*$/, ''))).toEqual([name]);
});
