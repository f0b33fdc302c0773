import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { addressKey } from '../util/email';
import { normalize } from '../util/normalize';
import { distinct, hasCredential, recordChoices, reopenNode } from './choices';
import type { Choice, ChoiceFetcher } from './choices';
import { placeChoices } from './placeChoices';

/** Entries that the editor gets at a time; it requests more as the user scrolls. */
const PAGE_SIZE = 500;

/** NFKC first, so that ligatures and full-width letters match plain ones as well. */
const searchKey = (text: string) => normalize(text.normalize('NFKC'));

/** A page of the choices that match, by part of the name or the details, or by the exact ID. */
function pageOf(choices: Choice[], filter = '', paginationToken = '0'): INodeListSearchResult {
	const typed = filter.trim();
	const wanted = searchKey(typed);
	const found = choices.filter(
		({ name, value, detail = '' }) =>
			wanted === '' || value === typed || searchKey(`${name} ${detail}`).includes(wanted),
	);
	const start = Number(paginationToken);
	const end = start + PAGE_SIZE;
	return {
		results: found.slice(start, end).map(({ name, value, detail }) => ({
			name: detail === undefined || detail === '' ? name : `${name} (${detail})`,
			value,
		})),
		...(end < found.length && { paginationToken: String(end) }),
	};
}

/** Searches the whole list. */
function search(fetchChoices: ChoiceFetcher) {
	return async function (
		this: ILoadOptionsFunctions,
		filter?: string,
		paginationToken?: string,
	): Promise<INodeListSearchResult> {
		if (!hasCredential(this)) return { results: [reopenNode] };
		return pageOf(distinct(await fetchChoices(this)), filter, paginationToken);
	};
}

/** A person may have several contacts, and each of them finds all records of the person. */
function oncePerAddress(contacts: Choice[]): Choice[] {
	const seen = new Set<string>();
	return contacts.filter(({ name }) => {
		const key = addressKey(name);
		return !seen.has(key) && seen.add(key);
	});
}

/** Node.js accepts these names, and lists the former ones. */
const currentZones: readonly string[] = [
	...['America/Argentina/Buenos_Aires', 'America/Nuuk', 'Asia/Ho_Chi_Minh', 'Asia/Kathmandu'],
	...['Asia/Kolkata', 'Asia/Yangon', 'Atlantic/Faroe', 'Europe/Kyiv'],
];

/** Searches the time zones, which need no credential. */
async function searchTimeZones(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const zones = [...Intl.supportedValuesOf('timeZone'), ...currentZones].sort();
	const choices = [...new Set(['UTC', ...zones])].map((value) => ({
		name: value.replaceAll('_', ' '),
		value,
	}));
	return pageOf(choices, filter, paginationToken);
}

export const listSearch = {
	searchAutomations: search(recordChoices('Automations')),
	searchAutomationSchedules: search(recordChoices('AutomationSchedules')),
	searchCities: search(placeChoices('cities')),
	searchContacts: search(recordChoices('Contacts')),
	searchContactTypes: search(recordChoices('ContactTypes')),
	searchCountries: search(placeChoices('countries')),
	searchCustomFields: search(recordChoices('CustomFields')),
	searchDesignTemplates: search(recordChoices('DesignTemplates')),
	searchGlobalUnsubscribes: search(recordChoices('GlobalUnsubscribes')),
	searchNotificationRecipients: search(recordChoices('NotificationRecipients')),
	searchPeople: search(async (context) => oncePerAddress(await recordChoices('Contacts')(context))),
	searchSegmentRecipients: search(recordChoices('SegmentRecipients')),
	searchSegments: search(recordChoices('Segments')),
	searchSenders: search(recordChoices('Senders')),
	searchSingleSends: search(recordChoices('SingleSends')),
	searchStates: search(placeChoices('states')),
	searchTargets: search(recordChoices('Targets')),
	searchTimeZones,
	searchUnsubscribeGroupRecipients: search(recordChoices('UnsubscribeGroupRecipients')),
	searchUnsubscribeGroups: search(recordChoices('UnsubscribeGroups')),
};
