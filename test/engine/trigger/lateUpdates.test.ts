import type { Sandbox } from '../../../sandbox/server.ts';
import { emptySandbox, Poller } from './poller';

const START = Date.parse('2026-03-02T10:00:00Z');
let sandbox: Sandbox;
const store = () => sandbox.state.store.tables;
const time = (seconds: number) =>
	new Date(START + seconds * 1000).toISOString().replace('Z', '000Z');

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => sandbox.state.reset('empty', ['settings']));
afterAll(async () => await sandbox.close());

const contact = (seconds: number) =>
	store().contacts.add({ updated_at: time(seconds) }, START + seconds * 1000);
type Contact = ReturnType<typeof contact>;
const update = (row: Contact, seconds: number) =>
	store().contacts.change(row, { updated_at: time(seconds) });

const updates = { events: ['contactUpdated'] };
const ids = async (poller: Poller) =>
	(await poller.poll()).map(({ record }) => (record as { id: number }).id);

it('an update that is shown after a newer one is reported, once', async () => {
	const [late, newer] = [contact(0), contact(0)];
	const poller = new Poller(sandbox, updates);
	expect(await ids(poller)).toEqual([]);
	update(newer, 300);
	expect(await ids(poller)).toEqual([newer.id]);
	update(late, 120);
	expect(await ids(poller)).toEqual([late.id]);
	expect(await ids(poller)).toEqual([]);
	const restarted = poller.restarted(poller.savedState());
	expect(await ids(restarted)).toEqual([]);
	update(late, 121);
	expect(await ids(restarted)).toEqual([late.id]);
});

it('of many contacts, too, as long as it is a few minutes late', async () => {
	const rows = Array.from({ length: 1200 }, (_, index) => contact(index));
	const poller = new Poller(sandbox, updates);
	expect(await ids(poller)).toEqual([]);
	const late = rows[3] as Contact;
	rows.slice(600).forEach((row, index) => update(row, 5000 + (index % 60)));
	expect(await ids(poller)).toHaveLength(600);
	update(late, 4800);
	expect(await ids(poller)).toEqual([late.id]);
	expect(await ids(poller)).toEqual([]);
});

it('a contact that the list shows with its former date for a while is not reported again', async () => {
	const [one] = [contact(0), contact(0)];
	const poller = new Poller(sandbox, updates);
	await ids(poller);
	update(one, 60);
	expect(await ids(poller)).toEqual([one.id]);
	for (const seconds of [0, 60, 0, 60]) {
		update(one, seconds);
		expect(await ids(poller)).toEqual([]);
	}
});

it('dates in the future hide no updates', async () => {
	const rows = Array.from({ length: 60 }, () => contact(0));
	const poller = new Poller(sandbox, updates);
	await ids(poller);
	rows.slice(0, 30).forEach((row, index) => update(row, 3600 * 24 * (index + 1)));
	expect(await ids(poller)).toHaveLength(30);
	const [, second] = rows.slice(29);
	update(second as Contact, 60);
	expect(await ids(poller)).toEqual([second?.id]);
	expect(await ids(poller)).toEqual([]);
});
