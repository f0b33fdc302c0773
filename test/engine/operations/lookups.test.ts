import { cities, countries, states } from '../../../sandbox/data/locations.ts';
import { template } from '../records';
import { checkRows } from '../rows';
import { get } from '../sandbox';

const dynamicContent = [
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

checkRows('designTemplate', [
	{
		operation: 'getAll',
		parameters: { returnAll: true },
		sends: [get('/get-design/template')],
		gives: [
			{
				id: 1,
				template_name: 'Blank',
				preview_image: 'blank.png',
				json_code: '{}',
				html_code: '<html><body></body></html>',
				is_blank: 1,
				created_at: null,
				updated_at: null,
			},
			template,
		],
	},
	{
		operation: 'getDynamicContent',
		settings: { dynamicContent: 'all' },
		parameters: { returnAll: true },
		sends: [get('/get-dynamic/content')],
		gives: dynamicContent.map((name) => ({ name })),
	},
	{
		operation: 'getDynamicContent',
		settings: { dynamicContent: 'all' },
		with: 'a limit',
		parameters: { limit: 3 },
		sends: [get('/get-dynamic/content')],
		gives: [{ name: 'first_name' }, { name: 'last_name' }, { name: 'email' }],
	},
]);

checkRows('location', [
	{
		operation: 'getAll',
		with: 'countries as preset, a limit',
		parameters: { limit: 2 },
		sends: [get('/get/country-state-city')],
		gives: [
			{ id: 1, name: 'Afghanistan', iso2: 'AF' },
			{ id: 2, name: 'Åland Islands', iso2: 'AX' },
		],
	},
	{
		operation: 'getAll',
		with: 'states',
		parameters: { locationType: 'states', limit: 1 },
		sends: [get('/get/country-state-city')],
		gives: [{ id: 1001, name: 'Alberta', country_id: 40 }],
	},
	{
		operation: 'getAll',
		with: 'cities',
		parameters: { locationType: 'cities', limit: 1 },
		sends: [get('/get/country-state-city')],
		gives: [{ id: 5001, name: 'Calgary', state_id: 1001 }],
	},
	{
		operation: 'getAll',
		with: 'the three lists in one item',
		parameters: { locationType: 'all', returnAll: true },
		sends: [get('/get/country-state-city')],
		gives: [{ countries: [...countries], states, cities }],
	},
]);
