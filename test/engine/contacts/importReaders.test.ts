import type { IDataObject } from 'n8n-workflow';

import { uploads } from './csvFiles';
import { AUSTRIA, GERMANY, hints, json, useAccount } from './support';

const test = useAccount({ emptyInUpdate: 'clears', csvContactType: 'sent' });
afterEach(() => jest.restoreAllMocks());

const sync = async (people: IDataObject[]) =>
	await test.account.run({ operation: 'sync', options: { importAbove: 1 } }, people);

const stored = (...fields: string[]) =>
	test.account.state.tables.contacts
		.all()
		.map((contact) => fields.map((field) => (contact as unknown as IDataObject)[field]));

const person = (n: number, values: IDataObject = {}) => ({
	email: `c${n}@example.com`,
	country: 'DE',
	...values,
});

describe('a service that takes every imported contact for a German', () => {
	beforeEach(() => {
		const { contacts } = test.account.state.tables;
		const insert = contacts.add.bind(contacts);
		jest
			.spyOn(contacts, 'add')
			.mockImplementation((row, at) =>
				insert(row.custom_field === undefined ? row : { ...row, country: GERMANY }, at),
			);
	});

	it('gets no further file once the trial has shown it', async () => {
		const people = [0, 1, 2, 3].map((n) => person(n, { country: n < 2 ? 'DE' : 'AT' }));
		const outcome = await sync(people);
		const why = 'The import stored other values in Country';
		expect(json(outcome).map(({ action, reason }) => [action, reason])).toEqual([
			['created', 'new'],
			['created', 'new'],
			['created', `${why}. Check the contact, or run again to update it`],
			['created', 'new'],
		]);
		expect(stored('email', 'country').sort()).toEqual([
			['c0@example.com', GERMANY],
			['c1@example.com', GERMANY],
			['c2@example.com', GERMANY],
			['c3@example.com', AUSTRIA],
		]);
		expect(uploads(test.account)).toHaveLength(1);
		expect(hints(outcome)?.[1]?.message).toBe(
			`New contacts sent one by one instead of as a file: 2. ${why}`,
		);
	});
});

describe('a service that stores a value in another field', () => {
	beforeEach(() => {
		const csvColumns = { email: 'email', country: 'country', first_name: 'last_name' };
		Object.assign(test.account.state.settings, { csvColumns });
	});

	it('is found out by the trial, and the row names both fields', async () => {
		const outcome = await sync(['Ada', 'Grace'].map((first_name, n) => person(n, { first_name })));
		expect(stored('first_name', 'last_name')).toEqual([
			['', 'Ada'],
			['Grace', ''],
		]);
		expect(json(outcome).map(({ action, reason }) => [action, reason])).toEqual([
			[
				'created',
				'The import stored other values in First Name, Last Name. Check the contact, or run again to update it',
			],
			['created', 'new'],
		]);
	});
});
