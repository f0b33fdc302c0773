import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../scripts/lib/workflow-json.ts';
import type { Outcome } from '../engine';
import { hints, json, useAccount } from './support';
import { meetingOf, Worker } from './worker';

const given = useAccount({ csvContactType: 'sent', duplicateEmail: 'allow', deletes: 'gone' });

const LIST = 'GET /contacts/list';
const FOUND = 'Another run or source added this address at the same time';
const FOUND_OTHERWISE = `${FOUND}, with other values. Run again to update it`;
const addresses = ['c0@example.com', 'c1@example.com', 'c2@example.com'];

const people = (city = 'Köln'): IDataObject[] =>
	addresses.map((email) => ({ email, country: 'DE', city }));

let workers: [Worker, Worker];
beforeAll(async () => {
	const { baseUrl } = given.account.sandbox;
	workers = [await Worker.start(baseUrl), await Worker.start(baseUrl)];
});
afterAll(() => workers.forEach((worker) => worker.close()));

/** Both runs plan before either writes, and write before either reads the list again, each time. */
beforeEach(() => {
	const planned = meetingOf(2);
	const written = [meetingOf(2), meetingOf(2)];
	for (const worker of workers) {
		let lists = 0;
		let hasWritten = false;
		worker.before = (call) => {
			if (call === LIST) return written[++lists - 2]?.();
			if (call.startsWith('GET') || hasWritten) return undefined;
			hasWritten = true;
			return planned();
		};
	}
});

type Run = [parameters: IDataObject, items: IDataObject[]];

async function runBoth(...runs: [Run, Run]): Promise<[Outcome, Outcome]> {
	const [first, second] = runs.map(
		async ([parameters, items], n) =>
			await given.account.run(parameters, items, {}, { baseUrl: workers[n]?.baseUrl }),
	) as [Promise<Outcome>, Promise<Outcome>];
	return [await first, await second];
}

const contacts = () =>
	given.account.state.tables.contacts.all().map(({ id, email, city }) => ({ id, email, city }));
const count = (call: string) => given.account.writes().filter(([one]) => one === call).length;
const listReads = () => given.account.reads().filter((path) => path === '/contacts/list').length;

/** The two rows about each address, the one of the run that created it first. */
function pairs([first, second]: [Outcome, Outcome]): IDataObject[][] {
	const others = json(second);
	return json(first).map((row, n) =>
		[row, others[n] ?? {}].sort((a, b) => (String(a.action) < String(b.action) ? -1 : 1)),
	);
}

const csv = { options: { importAbove: 1 } };

describe.each([
	['one by one', {}, 2],
	['as a file', csv, 3],
])('two runs on two workers that create the same people %s', (_, parameters, lists) => {
	test('leave each of them once, created by one run and unchanged in the other', async () => {
		const outcomes = await runBoth(
			[{ operation: 'sync', ...parameters }, people()],
			[{ operation: 'upsert', ...parameters }, people()],
		);
		expect(
			contacts()
				.map(({ email }) => email)
				.sort(),
		).toEqual(addresses);
		const idOf = (email: string) => given.account.contact(email)?.id;
		expect(pairs(outcomes)).toEqual(
			addresses.map((email) => [
				{ action: 'created', email, reason: 'new', contactId: idOf(email) },
				{ action: 'unchanged', email, reason: FOUND, contactId: idOf(email) },
			]),
		);
		expect(Math.min(...contacts().map(({ id }) => id))).toBe(1000001);
		// Both remove the same one of two that are alike: one of them comes too late.
		expect(count('DELETE /contacts/delete')).toBe(2 * addresses.length);
		expect(listReads()).toBe(2 * lists);
		const counted = (outcome: Outcome, action: string) =>
			Number(new RegExp(`(\\d+) ${action}`).exec(hints(outcome)?.[0]?.message ?? '')?.[1] ?? 0);
		for (const action of ['created', 'unchanged']) {
			const total = counted(outcomes[0], action) + counted(outcomes[1], action);
			expect([action, total]).toEqual([action, addresses.length]);
		}
	});

	test('keep the first values, and write the others in the next run', async () => {
		const { account } = given;
		const outcomes = await runBoth([parameters, people('Bonn')], [parameters, people('Ulm')]);
		expect(contacts()).toHaveLength(addresses.length);
		for (const [n, email] of addresses.entries()) {
			const contact = account.contact(email);
			const cities = ['Bonn', 'Ulm'];
			expect(
				outcomes.map((outcome) => {
					const { action, reason, contactId } = json(outcome)[n] ?? {};
					return { action, reason, contactId };
				}),
			).toEqual(
				cities.map((city) =>
					city === contact?.city
						? { action: 'created', reason: expect.any(String), contactId: contact.id }
						: { action: 'unchanged', reason: FOUND_OTHERWISE, contactId: contact?.id },
				),
			);
		}
		// Each run removes its own alone.
		expect(count('DELETE /contacts/delete')).toBe(addresses.length);

		const bonn = contacts().filter(({ city }) => city === 'Bonn').length;
		const again = await account.run({}, people('Ulm'));
		expect(json(again).filter(({ action }) => action === 'updated')).toHaveLength(bonn);
	});
});

test('a refused address that another run created is unchanged, not failed', async () => {
	const { account } = given;
	account.state.settings.duplicateEmail = 'refuse';
	const outcomes = await runBoth([{ operation: 'sync' }, people()], [{}, people()]);
	const idOf = (email: string) => account.contact(email)?.id;
	expect(pairs(outcomes)).toEqual(
		addresses.map((email) => [
			{ action: 'created', email, reason: 'new', contactId: idOf(email) },
			{ action: 'unchanged', email, reason: FOUND, contactId: idOf(email) },
		]),
	);
	expect(count('DELETE /contacts/delete')).toBe(0);
	expect(listReads()).toBe(4);
});

test('a run that plans before the other one, and writes after it has ended, removes its own', async () => {
	const { account } = given;
	let end = () => {};
	const ended = new Promise<void>((resolve) => (end = resolve));
	workers[0].before = () => undefined;
	workers[1].before = (call) => (call.startsWith('POST') ? ended : undefined);
	const late = account.run({}, people(), {}, { baseUrl: workers[1].baseUrl });
	while (listReads() === 0) await new Promise((resolve) => setImmediate(resolve));
	const first = await account.run({}, people(), {}, { baseUrl: workers[0].baseUrl });
	const before = contacts();
	end();
	expect(json(first).map(({ action }) => action)).toEqual(addresses.map(() => 'created'));
	expect(json(await late).map(({ reason }) => reason)).toEqual(addresses.map(() => FOUND));
	expect(contacts()).toEqual(before);
});

test('a contact that another run has removed already counts as deleted', async () => {
	const { account } = given;
	account.add('gone1@example.com');
	account.add('gone2@example.com');
	account.add(addresses[0] ?? '', { city: 'Köln' });
	const parameters = {
		operation: 'sync',
		missing: 'delete',
		options: { ...limits({ maxRemovalPercent: 100 }) },
	};
	const outcomes = await runBoth(
		[parameters, people().slice(0, 1)],
		[parameters, people().slice(0, 1)],
	);
	for (const outcome of outcomes) {
		expect(json(outcome).map(({ action, reason }) => [action, reason])).toEqual([
			['unchanged', 'no changes'],
			['deleted', 'missing from the input'],
			['deleted', 'missing from the input'],
		]);
	}
	expect(account.emails()).toEqual([addresses[0]]);
	expect(listReads()).toBe(2);
});

test('two runs that write the same changes both call them updated', async () => {
	const { account } = given;
	for (const email of addresses) account.add(email, { city: 'Bonn' });
	const outcomes = await runBoth([{}, people()], [{}, people()]);
	for (const outcome of outcomes) {
		expect(json(outcome).map(({ action }) => action)).toEqual(addresses.map(() => 'updated'));
	}
	expect(contacts().map(({ city }) => city)).toEqual(addresses.map(() => 'Köln'));
	expect(listReads()).toBe(2);
});
