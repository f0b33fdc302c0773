import { DEMO, failed, ok, useSandbox } from './support.ts';

const context = useSandbox();

type Rows = Array<{ id: number } & Record<string, unknown>>;
const rows = async (path: string, key: string): Promise<Rows> => {
	const { json } = await context.api.get(path);
	return (json.message as Record<string, Rows>)[key] ?? [];
};

describe('global unsubscribes', () => {
	it('#1 lists the newest first', async () => {
		const list = await rows('/global-unsubscribes', 'unSubscribers');
		expect(list.map(({ id }) => id)).toEqual([100006, 100005, 100004, 100003, 100002, 100001]);
		expect(list[0]).toEqual({
			id: 100006,
			user_id: 1207,
			unsubscribe_groups_id: null,
			email_address: 'moved.on@example.com',
			created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
			updated_at: expect.any(String),
		});
	});

	it.each([
		['number', DEMO.group],
		['text', String(DEMO.group)],
	])('#1 lists the entries of groups when the settings say so: %s', async (groupEntries, group) => {
		await context.api.control('PATCH', '/settings', { groupEntries });
		const list = await rows('/global-unsubscribes', 'unSubscribers');
		const groups = list.map((row) => row.unsubscribe_groups_id);
		expect(groups).toContain(group);
		expect(groups.filter((id) => id === null)).toHaveLength(6);
	});

	it('#2 takes several addresses in one text', async () => {
		const { json } = await context.api.post('/global-unsubscribes/save', {
			email_address: 'a@example.com, b@example.com',
		});
		expect(json).toEqual(ok('Added Successfully'));
		const list = await rows('/global-unsubscribes', 'unSubscribers');
		expect(list.slice(0, 2).map((row) => row.email_address)).toEqual([
			'b@example.com',
			'a@example.com',
		]);
	});

	it('#2 refuses a missing and an invalid address', async () => {
		const missing = await context.api.post('/global-unsubscribes/save', { email_address: '' });
		expect(missing.json).toEqual(
			failed({ email_address: ['The email address field is required.'] }),
		);
		const invalid = await context.api.post('/global-unsubscribes/save', {
			email_address: 'a@example.com,nobody',
		});
		expect(invalid.json).toEqual(
			failed({ email_address: ['The email address must be a valid email address.'] }),
		);
		expect(await rows('/global-unsubscribes', 'unSubscribers')).toHaveLength(6);
	});

	it('#2 refuses a repeated address when the settings say so', async () => {
		const { api } = context;
		await api.control('PATCH', '/settings', { duplicateEmail: 'refuse' });
		for (const email_address of ['Moved.On@example.com', 'a@example.com,A@example.com']) {
			expect((await api.post('/global-unsubscribes/save', { email_address })).json).toEqual(
				failed({ email_address: ['The email address has already been taken.'] }),
			);
		}
	});

	it('#3 deletes one', async () => {
		const { api } = context;
		expect((await api.delete('/global-unsubscribes/delete?id=100001')).json).toEqual(
			ok('Deleted Successfully'),
		);
		expect((await api.delete('/global-unsubscribes/delete?id=100001')).json).toEqual(
			failed('Record Not Found'),
		);
	});

	it('#4 deletes several, or none when one is unknown', async () => {
		const { api } = context;
		const path = '/global-unsubscribes/bulk-delete';
		expect((await api.bulk(path, [100001, 9])).json).toEqual(failed('Record Not Found'));
		expect(await rows('/global-unsubscribes', 'unSubscribers')).toHaveLength(6);
		expect((await api.bulk(path, [100001, 100002])).json).toEqual(ok('Deleted Successfully'));
		expect(await rows('/global-unsubscribes', 'unSubscribers')).toHaveLength(4);
		expect((await api.bulk(path, [])).json).toEqual(
			failed({ strIds: ['The strIds field is required.'] }),
		);
	});

	it('#4 deletes the known ones when the settings say so', async () => {
		await context.api.control('PATCH', '/settings', { bulkUnknown: 'skip' });
		const { json } = await context.api.bulk('/global-unsubscribes/bulk-delete', [100001, 9]);
		expect(json).toEqual(ok('Deleted Successfully'));
	});
});

describe('unsubscribe groups', () => {
	const fields = { group_name: 'Events', description: 'Invitations', is_display: 1 };

	it('#5 counts the recipients, #7 does not', async () => {
		const [group] = await rows('/unsubscribes-groups', 'unsubscribesGroups');
		expect(group).toMatchObject({ id: DEMO.group, is_display: 1, unsubscribe_clients_count: 3 });
		const { json } = await context.api.get(`/unsubscribes-groups/details?id=${DEMO.group}`);
		const { unsubscribe_clients_count: _count, ...details } = group as Rows[number];
		expect(json).toEqual(ok({ unsubscribesGroup: details }));
		expect(details.rand_id).toMatch(/^\d+$/);
	});

	it('#6 saves', async () => {
		const { json } = await context.api.post('/unsubscribes-groups/save', fields);
		expect(json).toEqual(ok('Saved Successfully'));
		expect((await rows('/unsubscribes-groups', 'unsubscribesGroups')).at(-1)).toMatchObject(fields);
	});

	it('#6 names everything that is missing', async () => {
		expect((await context.api.post('/unsubscribes-groups/save')).json).toEqual(
			failed({
				group_name: ['The group name field is required.'],
				description: ['The description field is required.'],
				is_display: ['The is display field is required.'],
			}),
		);
	});

	it('#7 and #8 know no others', async () => {
		const { api } = context;
		expect((await api.get('/unsubscribes-groups/details?id=9')).json).toEqual(
			failed('Record Not Found'),
		);
		expect((await api.post('/unsubscribes-groups/update?id=9', fields)).json).toEqual(
			failed('Record Not Found'),
		);
	});

	it('#8 updates', async () => {
		const { api } = context;
		const path = `/unsubscribes-groups/update?id=${DEMO.group}`;
		expect((await api.post(path, fields)).json).toEqual(ok('Updated Successfully'));
		expect((await rows('/unsubscribes-groups', 'unsubscribesGroups'))[0]).toMatchObject(fields);
		expect((await api.post(path, { ...fields, group_name: '' })).json).toEqual(
			failed({ group_name: ['The group name field is required.'] }),
		);
	});

	it('#9 adds recipients that #10 lists', async () => {
		const { api } = context;
		const path = '/unsubscribes-groups/manually-add';
		const added = {
			unsubscribe_groups_id: DEMO.group,
			email_address: 'x@example.com,y@example.com',
		};
		expect((await api.post(path, added)).json).toEqual(ok('Added Successfully'));
		const list = await rows(
			`/unsubscribes-groups/recipients-list?groupId=${DEMO.group}`,
			'recipients',
		);
		expect(list).toHaveLength(5);
		expect(list.at(-1)).toMatchObject({
			unsubscribe_groups_id: DEMO.group,
			email_address: 'y@example.com',
		});
		expect((await api.post(path, { unsubscribe_groups_id: DEMO.group })).json).toEqual(
			failed({ email_address: ['The email address field is required.'] }),
		);
		expect((await api.post(path, { ...added, unsubscribe_groups_id: 9 })).json).toEqual(
			failed({ unsubscribe_groups_id: ['The selected unsubscribe groups id is invalid.'] }),
		);
	});

	it('#10 knows no other group', async () => {
		expect((await context.api.get('/unsubscribes-groups/recipients-list?groupId=9')).json).toEqual(
			failed('Record Not Found'),
		);
	});

	it('#11 deletes one recipient', async () => {
		const { api } = context;
		const path = '/unsubscribes-groups/recipients-delete?id=300001';
		expect((await api.delete(path)).json).toEqual(ok('Deleted Successfully'));
		expect((await api.delete(path)).json).toEqual(failed('Record Not Found'));
	});

	it('#12 deletes several recipients', async () => {
		const { api } = context;
		const path = '/unsubscribes-groups/recipients-bulk-delete';
		expect((await api.bulk(path, [300001, 300002])).json).toEqual(ok('Deleted Successfully'));
		expect((await api.bulk(path, [300001])).json).toEqual(failed('Record Not Found'));
		// A global unsubscribe is no group recipient, though they look the same.
		expect((await api.bulk(path, [100001])).json).toEqual(failed('Record Not Found'));
	});
});
