import { DEMO, failed, ok, useSandbox } from './support.ts';

const context = useSandbox();

type Row = { id: number } & Record<string, unknown>;
const listed = async (): Promise<Row[]> => {
	const { json } = await context.api.get('/contacts/list');
	return (json.message as { contacts: Row[] }).contacts;
};
const details = async (id: number): Promise<Row> => {
	const { json } = await context.api.get(`/contacts/details?contact_id=${id}`);
	return (json.message as { contact: Row }).contact;
};
const required = { contact_type_id: DEMO.type, email: 'new@example.com', country: DEMO.india };
const csv = (text: string, name = 'people.csv') => new File([text], name, { type: 'text/csv' });

describe('contact types', () => {
	const types = async () =>
		((await context.api.get('/contacts-type')).json.message as { contactTypes: Row[] })
			.contactTypes;

	it('#13 counts the contacts, #15 does not', async () => {
		const [type] = await types();
		expect(type).toMatchObject({ id: DEMO.type, name: 'Customers', contacts_count: 20 });
		const { contacts_count: _count, ...contactType } = type as Row;
		const { json } = await context.api.get(`/contacts-type/view?contact_type_id=${DEMO.type}`);
		expect(json).toEqual(ok({ contactType }));
	});

	it('#14 adds', async () => {
		const { api } = context;
		expect((await api.post('/contacts-type/add', { name: 'VIP' })).json).toEqual(
			ok('Added Successfully'),
		);
		expect((await types()).at(-1)).toMatchObject({ name: 'VIP', contacts_count: 0 });
		expect((await api.post('/contacts-type/add')).json).toEqual(
			failed({ name: ['The name field is required.'] }),
		);
		expect((await api.post('/contacts-type/add', { name: 'V' })).json).toEqual(
			failed({ name: ['The name must be at least 2 characters.'] }),
		);
	});

	it('#15 fails with an object', async () => {
		expect((await context.api.get('/contacts-type/view?contact_type_id=9')).json).toEqual(
			failed({ contact_type_id: ['The selected contact type id is invalid.'] }),
		);
	});

	it('#16 updates, also in contacts that were listed before', async () => {
		const { api } = context;
		await listed();
		expect(
			(await api.post('/contacts-type/update', { id: DEMO.type, name: 'Buyers' })).json,
		).toEqual(ok('Updated Successfully'));
		expect((await types())[0]).toMatchObject({ name: 'Buyers' });
		expect((await listed())[0]?.contact_type).toMatchObject({ name: 'Buyers' });
		expect((await api.post('/contacts-type/update', { id: 9, name: 'Buyers' })).json).toEqual(
			failed('Record Not Found'),
		);
	});

	it('#17 confirms under the key errors and takes the contacts along', async () => {
		const { api } = context;
		const path = `/contacts-type/delete?contact_type_id=${DEMO.type}`;
		expect((await api.delete(path)).json).toEqual({
			status: 'success',
			errors: 'Deleted Successfully',
		});
		expect(await listed()).toHaveLength(20);
		expect((await api.delete(path)).json).toEqual(failed('Record Not Found'));
	});
});

describe('contacts', () => {
	it('#18 shows the name of the country and the type, #22 the id as a string', async () => {
		const [row] = await listed();
		expect(row).toMatchObject({
			id: DEMO.contact,
			country: 'United States',
			fullname: 'Ada Okafor',
			contact_type: { id: DEMO.type, name: 'Customers', deleted_at: null },
			custom_field: { field_201: { field_name: 'company_name', field_value: 'Okafor & Co' } },
		});
		expect(row?.contact_type).not.toHaveProperty('contacts_count');
		const { contact_type: _type, ...rest } = row as Row;
		expect(await details(DEMO.contact)).toEqual({ ...rest, country: String(DEMO.unitedStates) });
	});

	it('#19 adds what is required only, and the same address twice', async () => {
		const { api } = context;
		for (let times = 0; times < 2; times++) {
			expect((await api.post('/contacts/add', required)).json).toEqual(
				ok('Contact Added Successfully'),
			);
		}
		const added = (await listed()).slice(-2);
		expect(added[0]).toMatchObject({
			email: 'new@example.com',
			country: 'India',
			first_name: '',
			alt_email: null,
			custom_field: null,
			deleted_at: null,
		});
		expect(added[1]?.email).toBe('new@example.com');
	});

	it('#19 refuses the same address when the settings say so, within one type', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { duplicateEmail: 'refuse' });
		await api.post('/contacts/add', required);
		expect((await api.post('/contacts/add', required)).json).toEqual(
			failed({ email: ['The email has already been taken.'] }),
		);
		const elsewhere = { ...required, contact_type_id: DEMO.otherType };
		expect((await api.post('/contacts/add', elsewhere)).json.status).toBe('success');
	});

	it.each([
		[{ email: '' }, { email: ['The email field is required.'] }],
		[{ email: 'nobody' }, { email: ['The email must be a valid email address.'] }],
		[{ country: '' }, { country: ['The country field is required.'] }],
		[{ country: 999 }, { country: ['The selected country is invalid.'] }],
		[{ contact_type_id: 9 }, { contact_type_id: ['The selected contact type id is invalid.'] }],
	])('#19 refuses %j', async (change, errors) => {
		expect((await context.api.post('/contacts/add', { ...required, ...change })).json).toEqual(
			failed(errors),
		);
		expect(await context.api.rules()).toEqual([]);
	});

	it.each([
		['accept', ok('Contact Added Successfully')],
		['refuse', failed({ city: ['The city must be a string.'] })],
	])('#19 with an empty optional text, which the settings %s', async (emptyOptional, answer) => {
		const { api } = context;
		await api.control('PATCH', '/settings', { emptyOptional });
		expect((await api.post('/contacts/add', { ...required, city: '' })).json).toEqual(answer);
		expect(await api.rules()).toEqual([]);
	});

	it.each([
		['any', 'success'],
		['domain', 'failed'],
	])('#19 with an address without a dot, when the settings say %s', async (emailSyntax, status) => {
		const { api } = context;
		await api.control('PATCH', '/settings', { emailSyntax });
		const { json } = await api.post('/contacts/add', { ...required, email: 'ada@localhost' });
		expect(json.status).toBe(status);
	});

	it('#20 answers an empty object, a file or its failure', async () => {
		const { api } = context;
		const path = '/contacts/csv-sample/download';
		expect((await api.get(path)).text).toBe('{}');
		await api.control('PATCH', '/settings', { csvSample: 'file' });
		const file = await api.get(path);
		expect(file.headers.get('content-disposition')).toBe(
			'attachment; filename="contacts-sample.csv"',
		);
		expect(file.text).toMatch(/^first_name,last_name,email,.*\n$/);
		await api.control('PATCH', '/settings', { csvSample: 'missing' });
		expect((await api.get(path)).json).toEqual(failed('Record Not Found'));
	});

	it('#21 imports the good rows and says nothing of the others', async () => {
		const { api } = context;
		const file = csv(
			'email,first_name,country,company_name\r\n' +
				'one@example.com,"One, the first",Germany,Acme\r\n' +
				`two@example.com,Two,${DEMO.india},\r\n` +
				'nobody,Three,Germany,\r\n' +
				'four@example.com,Four,Atlantis,\r\n',
		);
		const { json } = await api.post('/contacts/upload-csv', { contact_type_id: DEMO.type, file });
		expect(json).toEqual(ok('Imported Successfully'));
		const list = await listed();
		expect(list).toHaveLength(42);
		expect(list.slice(-2)).toMatchObject([
			{
				email: 'one@example.com',
				first_name: 'One, the first',
				country: 'Germany',
				custom_field: { field_201: { field_name: 'company_name', field_value: 'Acme' } },
			},
			{ email: 'two@example.com', country: 'India', contact_type_id: DEMO.type },
		]);
	});

	it('#21 takes another layout of the header when the settings say so', async () => {
		const { api } = context;
		const csvColumns = { 'E-mail': 'email', Land: 'country' };
		await api.control('PATCH', '/settings', { csvColumns });
		const file = csv('E-mail,Land\none@example.com,Germany\n');
		await api.post('/contacts/upload-csv', { contact_type_id: DEMO.type, file });
		expect((await listed()).at(-1)).toMatchObject({ email: 'one@example.com', country: 'Germany' });
	});

	it.each([
		[{ csvBadRow: 'refuse' }, 'Row 2 of the file is invalid.'],
		[{ csvMaxRows: 1 }, 'The file may not have more than 1 rows.'],
	])('#21 refuses a file as a whole with %j', async (settings, message) => {
		const { api } = context;
		await api.control('PATCH', '/settings', settings);
		const before = (await listed()).length;
		const file = csv('email,country\none@example.com,85\nnobody,85\n');
		const { json } = await api.post('/contacts/upload-csv', {
			contact_type_id: DEMO.type,
			file,
		});
		expect(json).toEqual(failed({ file: [message] }));
		expect(await listed()).toHaveLength(before);
	});

	it('#21 creates contacts late, and in no contact type, when the settings say so', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { csvDelayMs: 60_000, csvContactType: 'none' });
		const before = (await listed()).length;
		const file = csv('email,country\none@example.com,85\n');
		await api.post('/contacts/upload-csv', { contact_type_id: DEMO.type, file });
		expect(await listed()).toHaveLength(before);
		await api.control('POST', '/clock', { advanceMs: 60_000 });
		expect((await listed()).at(-1)).toMatchObject({ email: 'one@example.com', contact_type_id: 0 });
	});

	it('#21 names what is missing', async () => {
		expect((await context.api.post('/contacts/upload-csv')).json).toEqual(
			failed({
				contact_type_id: ['The contact type id field is required.'],
				file: ['The file field is required.'],
			}),
		);
	});

	it('#23 keeps what is not sent and clears what is sent blank', async () => {
		const { api } = context;
		await api.post('/contacts/add', { ...required, first_name: 'Kim', city: 'Pune' });
		const contact_id = (await listed()).at(-1)?.id ?? 0;
		const change = { ...required, contact_id, email: 'kim@example.com', city: '' };
		expect((await api.post('/contacts/update', change)).json).toEqual(
			ok('Contact Updated Successfully'),
		);
		expect(await details(contact_id)).toMatchObject({
			first_name: 'Kim',
			email: 'kim@example.com',
			city: '',
		});
		expect((await api.post('/contacts/update', { ...change, email: '' })).json).toEqual(
			failed({ email: ['The email field is required.'] }),
		);
		expect((await api.post('/contacts/update', { ...change, contact_id: 9 })).json).toEqual(
			failed('Record Not Found'),
		);
	});

	it('#22, #24 and #25 know no other ids', async () => {
		const { api } = context;
		expect((await api.get('/contacts/details?contact_id=9')).json).toEqual(
			failed('Record Not Found'),
		);
		const path = `/contacts/delete?contact_id=${DEMO.contact}`;
		expect((await api.delete(path)).json).toEqual(ok('Deleted Successfully'));
		expect((await api.delete(path)).json).toEqual(failed('Record Not Found'));
		const others = [DEMO.contact + 1, DEMO.contact + 2];
		expect((await api.bulk('/contacts/bulk-delete', others)).json).toEqual(
			ok('Deleted Successfully'),
		);
		expect((await api.bulk('/contacts/bulk-delete', others)).json).toEqual(
			failed('Record Not Found'),
		);
		expect(await listed()).toHaveLength(37);
	});
});
