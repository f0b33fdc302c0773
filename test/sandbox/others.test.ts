import { cities, states } from '../../sandbox/data/locations.ts';
import { DEMO, failed, ok, SENDER_FIELDS, useSandbox } from './support.ts';

const context = useSandbox();

type Row = { id: number } & Record<string, unknown>;
const list = async (path: string, key: string): Promise<Row[]> => {
	const { json } = await context.api.get(path);
	return (json.message as Record<string, Row[]>)[key] ?? [];
};

describe('segments', () => {
	const recipient = {
		segment_id: DEMO.segment,
		first_name: 'Kim',
		last_name: 'Lee',
		email: 'kim@example.com',
	};

	it('#26 to #28: a stored recipient is counted and listed', async () => {
		const { api } = context;
		expect((await list('/segment/list', 'segments'))[1]).toMatchObject({
			select_operator: ['is between'],
			value: ['2024-03-01', '2024-05-31'],
			segment_emails_count: 5,
		});
		expect((await api.post('/segment/email/store', recipient)).json).toEqual(
			ok('Added Successfully'),
		);
		expect((await list('/segment/list', 'segments'))[0]?.segment_emails_count).toBe(9);
		const emails = await list(`/segment/email/list?segment_id=${DEMO.segment}`, 'contactEmails');
		expect(emails[0]).toMatchObject({ contact_id: DEMO.contact, fullname: 'Ada Okafor' });
		expect(emails.at(-1)).toMatchObject({ ...recipient, contact_id: null, country: null });
	});

	it('#28 names what is missing', async () => {
		const { json } = await context.api.post('/segment/email/store', { segment_id: DEMO.segment });
		expect(json).toEqual(
			failed({
				first_name: ['The first name field is required.'],
				last_name: ['The last name field is required.'],
				email: ['The email field is required.'],
			}),
		);
	});

	it('#27, #29 and #30 fail each in their own words', async () => {
		const { api } = context;
		expect((await api.get('/segment/email/list?segment_id=9')).json).toEqual(
			failed('Record not found'),
		);
		const recipientPath = '/segment/email/delete?segment_recipient_id=500001';
		expect((await api.delete(recipientPath)).json).toEqual(ok('Deleted Successfully'));
		expect((await api.delete(recipientPath)).json).toEqual(failed('Record Not Found'));
		const segmentPath = `/segment/delete?segment_id=${DEMO.segment}`;
		expect((await api.delete(segmentPath)).json).toEqual({
			status: 'success',
			errors: 'Deleted Successfully',
		});
		expect((await api.delete(segmentPath)).json).toEqual(failed('Record Not Found'));
	});
});

describe('fields', () => {
	it('#31 and #32 list reserved and custom fields', async () => {
		expect((await list('/reserve-fields', 'reservedFields'))[0]).toEqual({
			id: 101,
			user_id: null,
			field_name: 'first_name',
			field_type: 'text',
			is_reserved: 1,
			created_at: null,
			updated_at: null,
		});
		const custom = await list('/custom-fields', 'customFields');
		expect(custom.map((row) => row.field_type)).toEqual([
			'text',
			'number',
			'datetime-local',
			'text',
		]);
	});

	it.each([
		[{ field_name: 'shoe size' }, { field_name: ['The field name format is invalid.'] }],
		[{ field_name: 'first_name' }, { field_name: ['The field name is reserved.'] }],
		[{ field_type: 'date' }, { field_type: ['The selected field type is invalid.'] }],
		[{ field_name: '' }, { field_name: ['The field name field is required.'] }],
	])('#33 refuses %j', async (change, errors) => {
		const fields = { field_name: 'shoe_size', field_type: 'number', ...change };
		expect((await context.api.post('/custom-fields/save', fields)).json).toEqual(failed(errors));
	});

	it('#33 saves, #34 deletes', async () => {
		const { api } = context;
		const fields = { field_name: 'Shoe_Size_2', field_type: 'number' };
		expect((await api.post('/custom-fields/save', fields)).json).toEqual(ok('Added Successfully'));
		const added = (await list('/custom-fields', 'customFields')).at(-1);
		expect(added).toMatchObject({ ...fields, is_reserved: 0 });
		const path = `/custom-fields/delete?id=${added?.id}`;
		expect((await api.delete(path)).json).toEqual(ok('Deleted Successfully'));
		expect((await api.delete(path)).json).toEqual(failed('Record Not Found'));
	});
});

describe('templates, content and places', () => {
	it('#35 and #36', async () => {
		const templates = await list('/get-design/template', 'templates');
		expect(templates).toHaveLength(5);
		expect(templates[0]).toMatchObject({ id: 1, is_blank: 1 });
		const contents = (await context.api.get('/get-dynamic/content')).json.message;
		expect((contents as { contents: string[] }).contents).toHaveLength(21);
	});

	it('#35 and #36 fail for an empty list when the settings say so', async () => {
		const { api } = context;
		for (const { id } of await list('/get-design/template', 'templates')) {
			await api.control('DELETE', `/records/templates/${id}`);
		}
		await api.control('PATCH', '/settings', { dynamicContent: 'none' });
		const answers = async () => [
			(await api.get('/get-design/template')).json,
			(await api.get('/get-dynamic/content')).json,
		];
		expect(await answers()).toEqual([ok({ templates: [] }), ok({ contents: [] })]);
		await api.control('PATCH', '/settings', { emptyLists: 'failed' });
		expect(await answers()).toEqual([failed('Record Not Found'), failed('Record Not Found')]);
	});

	it.each([
		['id-name', { id: 85, name: 'Germany', iso2: 'DE' }],
		['prefixed', { country_id: 85, country_name: 'Germany' }],
		['value-label', { value: 85, label: 'Germany' }],
		['sortname', { id: 85, sortname: 'DE', name: 'Germany' }],
	])('#50 in the shape %s', async (locationShape, germany) => {
		await context.api.control('PATCH', '/settings', { locationShape });
		const { json } = await context.api.get('/get/country-state-city');
		const places = json.message as Record<'countries' | 'states' | 'cities', unknown[]>;
		expect(places.countries).toHaveLength(249);
		expect(places.countries[84]).toEqual(germany);
		expect(places.states[0]).toHaveProperty('country_id');
		expect(places.cities[0]).toHaveProperty('state_id');
	});
});

describe('notification recipients', () => {
	it('#50a to #50d', async () => {
		const { api } = context;
		expect(await list('/notification-recipients', 'notifications')).toHaveLength(2);
		const save = '/notification-recipient/save';
		const fields = { email_address: 'ops@example.com', email_owner: 'Ops' };
		expect((await api.post(save, fields)).json).toEqual(ok('Added Successfully'));
		expect((await list('/notification-recipients', 'notifications')).at(-1)).toMatchObject(fields);
		expect((await api.post(save)).json).toEqual(
			failed({
				email_address: ['The email address field is required.'],
				email_owner: ['The name field is required'],
			}),
		);
		const one = '/notification-recipient/delete?id=401';
		expect((await api.delete(one)).json).toEqual(ok('Deleted Successfully'));
		expect((await api.delete(one)).json).toEqual(failed('Record Not Found'));
		const bulk = '/notification-recipient/bulk-delete';
		expect((await api.bulk(bulk, [402, 403])).json).toEqual(ok('Deleted Successfully'));
		expect((await api.bulk(bulk, [402])).json).toEqual(failed('Record Not Found'));
	});
});

describe('senders', () => {
	it('#51 is the same by GET and POST', async () => {
		const byGet = await context.api.get('/senders');
		const byPost = await context.api.send('/senders', { method: 'POST' });
		expect(byPost.text).toBe(byGet.text);
		expect((byGet.json.message as { senders: Row[] }).senders[0]).toMatchObject({
			is_verified: 1,
			utr: expect.stringMatching(/^[a-z0-9]{14}$/),
			send_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
		});
	});

	it('#52 saves an unverified one', async () => {
		expect((await context.api.post('/sender/save', SENDER_FIELDS)).json).toEqual(
			ok('Added Successfully'),
		);
		const added = (await list('/senders', 'senders')).at(-1);
		expect(added).toMatchObject({ ...SENDER_FIELDS, is_verified: 0, city_id: 0, deleted_at: null });
	});

	it('#52 names what is missing or too long', async () => {
		const { json } = await context.api.post('/sender/save', { company_address2: 'x'.repeat(256) });
		expect(json).toEqual(
			failed({
				from_name: ['The from name field is required.'],
				from_email: ['The from email field is required.'],
				reply_to_email: ['The reply to email field is required.'],
				country_id: ['The country id field is required.'],
				company_address: ['The company address field is required.'],
				company_address2: ['The company address2 may not be greater than 255 characters.'],
				nickname: ['The nickname field is required.'],
			}),
		);
	});

	const place = { state_id: 1003, city_id: 5001 };
	const refusedPlace = failed({
		state_id: ['The selected state id is invalid.'],
		city_id: ['The selected city id is invalid.'],
	});

	it.each(['save', 'update'])('%s takes any state and city of #50, and no others', async (end) => {
		const { api } = context;
		const path = `/sender/${end}`;
		const fields = { ...SENDER_FIELDS, ...(end === 'update' && { sender_id: DEMO.sender }) };
		expect((await api.post(path, { ...fields, ...place })).json.status).toBe('success');
		expect((await list('/senders', 'senders')).at(end === 'update' ? 0 : -1)).toMatchObject(place);
		const others = { state_id: place.city_id, city_id: place.state_id };
		expect((await api.post(path, { ...fields, ...others })).json).toEqual(refusedPlace);
		expect(await api.rules()).toEqual([]);
		await api.post(path, { ...fields, state_id: 'Berlin', city_id: '5001.0' });
		expect(await api.rules()).toEqual(['integer', 'integer']);
	});

	it('#52 and #54 take only a city in the state in the country when the settings say so', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { locationMatch: 'nested' });
		expect((await api.post('/sender/save', { ...SENDER_FIELDS, ...place })).json).toEqual(
			refusedPlace,
		);
		const oregon = states.find(({ name }) => name === 'Oregon')?.id ?? 0;
		const portland = cities.find((city) => city.state_id === oregon)?.id ?? 0;
		const home = { country_id: DEMO.unitedStates, state_id: oregon, city_id: portland };
		expect((await api.post('/sender/save', { ...SENDER_FIELDS, ...home })).json.status).toBe(
			'success',
		);
		const { country_id, city_id } = home;
		const withoutState = { ...SENDER_FIELDS, country_id, city_id };
		expect((await api.post('/sender/save', withoutState)).json.status).toBe('success');
		// The demo's sender is in Berlin, which the update leaves as it is.
		const moved = { ...SENDER_FIELDS, sender_id: DEMO.sender, country_id: DEMO.unitedStates };
		expect((await api.post('/sender/update', moved)).json.errors).toMatchObject({
			state_id: ['The selected state id is invalid.'],
		});
		const cleared = { ...moved, state_id: '', city_id: '' };
		expect((await api.post('/sender/update', cleared)).json.status).toBe('success');
	});

	it('#53 to #56', async () => {
		const { api } = context;
		const [first] = await list('/senders', 'senders');
		expect((await api.get(`/sender/details?sender_id=${DEMO.sender}`)).json).toEqual(
			ok({ sender: first }),
		);
		const update = { ...SENDER_FIELDS, sender_id: DEMO.sender, state_id: '', zip_code: '' };
		expect((await api.post('/sender/update', update)).json).toEqual(ok('Updated Successfully'));
		expect((await list('/senders', 'senders'))[0]).toMatchObject({
			from_name: 'Shop',
			state_id: 0,
			zip_code: '',
			is_verified: 1,
		});
		expect((await api.post('/sender/update', { ...update, sender_id: 9 })).json).toEqual(
			failed('Record Not Found'),
		);
		expect((await api.get(`/sender/resend-mail?sender_id=${DEMO.sender}`)).json).toEqual(
			ok('Verification Mail Send'),
		);
		const path = `/sender/delete?sender_id=${DEMO.sender}`;
		expect((await api.delete(path)).json).toEqual({
			status: 'success',
			errors: 'Deleted Successfully',
		});
		for (const unknown of ['details', 'resend-mail']) {
			expect((await api.get(`/sender/${unknown}?sender_id=${DEMO.sender}`)).json).toEqual(
				failed('Record Not Found'),
			);
		}
		expect((await api.delete(path)).json).toEqual(failed('Record Not Found'));
	});
});
