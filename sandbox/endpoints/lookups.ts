import { locationLists } from '../data/locations.ts';
import { endpoint } from '../endpoint.ts';
import { listOf, ordered } from '../lists.ts';
import { success } from '../replies.ts';

export const DYNAMIC_CONTENT = [
	'first_name',
	'last_name',
	'email',
	'alt_email',
	'country',
	'state',
	'city',
	'address_line1',
	'address_line2',
	'state_province_region',
	'postal_code',
	'full_name',
	'father_name',
	'designation',
	'age',
	'company_name',
	'birth_date',
	'join_date',
	'sender_name',
	'sender_address',
	'unsubscribe_preferences',
];

export const lookups = [
	endpoint({
		number: '35',
		method: 'GET',
		path: '/get-design/template',
		run: (_input, { tables, settings }) => listOf('templates', ordered(tables.templates, settings)),
	}),
	endpoint({
		number: '36',
		method: 'GET',
		path: '/get-dynamic/content',
		run: (_input, { settings }) =>
			success({ contents: settings.dynamicContent === 'all' ? DYNAMIC_CONTENT : [] }),
	}),
	endpoint({
		number: '50',
		method: 'GET',
		path: '/get/country-state-city',
		run: (_input, { settings }) => success(locationLists(settings.locationShape)),
	}),
];
