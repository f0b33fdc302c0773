import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox/server.ts';
import { keys } from '../engine';
import { once } from '../sandbox';
import { emptySandbox, Poller, type PollSettings } from './poller';

const MINUTE = 60_000;
const START = Date.parse('2026-03-02T10:00:00Z');
/** How long a poll may read; one that waits for a slow list takes all of it. */
let budgetMs: number;
let sandbox: Sandbox;
let clock: jest.SpyInstance<number, []>;
const store = () => sandbox.state.store.tables;
const at = (minutes: number) => clock.mockReturnValue(START + minutes * MINUTE);

beforeAll(async () => {
	sandbox = await emptySandbox();
});
beforeEach(() => {
	sandbox.state.reset('empty', ['settings']);
	repair();
	clock = jest.spyOn(Date, 'now');
	at(0);
});
afterEach(() => clock.mockRestore());
afterAll(async () => await sandbox.close());

const [sends, contacts, automations] = ['/single-send/list', '/contacts/list', '/automations'];
const three = {
	events: ['singleSendCreated', 'contactAdded', 'automationCreated'],
	options: { ...once, unreadableHours: 1 },
};
const slow = (path: string, times = 1) => {
	budgetMs = 900;
	sandbox.state.faults.add({ kind: 'slow', ms: 20_000, match: { path }, times });
};
const repair = () => {
	budgetMs = 15_000;
	sandbox.state.faults.clear();
};
const failing = (path: string, times = 1, status = 500) =>
	sandbox.state.faults.add({ kind: 'status', status, match: { path }, times });
const add = {
	singleSendCreated: () => store().singleSends.add({}, START),
	contactAdded: () => store().contacts.add({ email: 'ada@example.com' }, START),
	automationCreated: () => store().automations.add({}, START),
};
const addAll = () => Object.values(add).forEach((one) => one());

/** The events of one poll, or why it failed. */
/** n8n cannot publish the workflow at any of these times. */
async function expectUnpublishable(poller: Poller, minutes: number[], description: string) {
	for (const minute of minutes) {
		at(minute);
		await expect(poller.poll({ activation: 'activate' })).rejects.toMatchObject({
			message: expect.stringContaining('The list of contacts has been unreadable since'),
			description: expect.stringContaining(description),
		});
	}
}

async function outcome(poller: Poller, settings: PollSettings = {}): Promise<string[]> {
	const result = await poller
		.poll({ budgetMs, ...settings })
		.catch((error: Error) => [{ event: error.message }]);
	return result.map(({ event }) => String(event)).sort();
}

const ready = async (parameters: object = three) => {
	const poller = new Poller(sandbox, parameters as never);
	expect(await poller.poll()).toEqual([]);
	return poller;
};

describe('a list that is always too slow', () => {
	it.each([
		[sends, 'singleSendCreated'],
		[contacts, 'contactAdded'],
		[automations, 'automationCreated'],
	])('%s starves no others', async (path, event) => {
		const poller = await ready();
		slow(path, 1000);
		addAll();
		const others = Object.keys(add).filter((name) => name !== event);
		const found: string[] = [];
		for (let count = 0; count < 4; count++) found.push(...(await outcome(poller)));
		expect(found.sort()).toEqual(others.sort());
		addAll();
		const later: string[] = [];
		for (let count = 0; count < 4; count++) later.push(...(await outcome(poller)));
		expect(later.sort()).toEqual(others.sort());
		repair();
		expect(await outcome(poller)).toEqual([event, event]);
	});

	it('starves no others where two are, also with a cursor that n8n saves after each poll', async () => {
		const poller = await ready();
		const cursor: IDataObject = {};
		await poller.poll({ cursor });
		slow(sends, 1000);
		slow(automations, 1000);
		addAll();
		const found: string[] = [];
		for (let count = 0; count < 6; count++) found.push(...(await outcome(poller, { cursor })));
		expect(found).toEqual(['contactAdded']);
	});

	it('starves no others from the first poll on', async () => {
		const poller = new Poller(sandbox, three);
		slow(sends, 1000);
		for (let count = 0; count < 3; count++) expect(await outcome(poller)).toEqual([]);
		addAll();
		const found: string[] = [];
		for (let count = 0; count < 4; count++) found.push(...(await outcome(poller)));
		expect(found).toEqual(['automationCreated', 'contactAdded']);
	});
});

describe('a list that fails', () => {
	it.each([sends, contacts, automations])('%s holds up no others', async (path) => {
		const poller = await ready();
		failing(path);
		addAll();
		const first = await outcome(poller);
		expect(first).toHaveLength(2);
		expect([...first, ...(await outcome(poller))].sort()).toEqual(Object.keys(add).sort());
		expect(await outcome(poller)).toEqual([]);
	});

	const since = '2026-03-02T10:01:00.000Z';
	const says = `The list of contacts has been unreadable since ${since}: The service is temporarily unavailable (HTTP 500)`;

	it('for an hour is an error, once an hour, and the events of others are not lost', async () => {
		const poller = await ready();
		failing(contacts, 1000);
		at(1);
		expect(await outcome(poller)).toEqual([]);
		at(60);
		add.singleSendCreated();
		expect(await outcome(poller)).toEqual(['singleSendCreated']);
		at(61);
		add.singleSendCreated();
		expect(await outcome(poller)).toEqual([says]);
		expect(await outcome(poller)).toEqual(['singleSendCreated']);
		at(120);
		expect(await outcome(poller)).toEqual([]);
		at(121);
		expect(await outcome(poller)).toEqual([says]);
		repair();
		add.contactAdded();
		expect(await outcome(poller)).toEqual(['contactAdded']);
		failing(contacts, 1000);
		at(180);
		expect(await outcome(poller)).toEqual([]);
	});

	it('is an error after six hours, unless another time is set', async () => {
		const poller = await ready({ ...three, options: once });
		failing(contacts, 1000);
		at(1);
		expect(await outcome(poller)).toEqual([]);
		at(360);
		expect(await outcome(poller)).toEqual([]);
		at(361);
		expect(await outcome(poller)).toEqual([says]);
	});

	it('for an hour is an error after a restart of n8n, too, and with a cursor', async () => {
		const poller = await ready();
		const cursor: IDataObject = {};
		await poller.poll({ cursor });
		failing(contacts, 1000);
		at(1);
		await outcome(poller, { cursor });
		const restarted = poller.restarted({});
		at(70);
		add.singleSendCreated();
		expect(await outcome(restarted, { cursor })).toEqual([says]);
		expect(await outcome(restarted, { cursor })).toEqual(['singleSendCreated']);
	});

	it('is an error after an hour, too, where two lists take turns at being too slow', async () => {
		const poller = await ready();
		slow(sends, 1000);
		slow(contacts, 1000);
		const found: string[] = [];
		for (const minutes of [1, 2, 3, 63, 64, 65, 66, 67, 68]) {
			at(minutes);
			found.push(...(await outcome(poller)));
		}
		const reasons = found.map((event) => event.replace(/ has been unreadable since.*/, ''));
		expect(reasons.sort()).toEqual(['The list of campaigns', 'The list of contacts']);
	});

	it('does not stop the others where every poll is hours after the last', async () => {
		const poller = await ready();
		failing(contacts, 1000);
		const found: string[] = [];
		for (let count = 1; count < 8; count++) {
			at(count * 300);
			add.singleSendCreated();
			found.push(...(await outcome(poller)));
		}
		expect(found.filter((event) => event === 'singleSendCreated').length).toBeGreaterThan(5);
		expect(found.filter((event) => event.startsWith('The list'))).toHaveLength(3);
	});

	it('is an error after a clock was set back, too', async () => {
		const poller = await ready();
		failing(contacts, 1000);
		const found: string[][] = [];
		for (const hours of [0.1, 9_000, 1, 8, 9, 10]) {
			at(hours * 60);
			found.push(await outcome(poller));
		}
		expect(found.slice(3).flat()).toContainEqual(expect.stringMatching(/^The list of contacts/));
	});

	it.each([401, 403])('with HTTP %i does not keep n8n from polling the others', async (status) => {
		const poller = await ready();
		failing(contacts, 1000, status);
		at(1);
		await outcome(poller);
		at(70);
		// n8n waits for half an hour after an error with this status.
		await expect(poller.poll({ budgetMs })).rejects.toMatchObject({
			httpCode: null,
			context: { code: 'list-unreadable' },
		});
	});

	it('before it was ever read keeps n8n from publishing, however late', async () => {
		failing(contacts, 1000);
		const poller = new Poller(sandbox, three);
		await expectUnpublishable(poller, [0, 10, 11, 30], 'Publish the workflow once it can be read');
		repair();
		expect(await outcome(poller, { activation: 'activate' })).toEqual([]);
		addAll();
		expect(await outcome(poller, { activation: 'activate' })).toEqual(three.events.sort());
	});

	it('and is added to a published workflow keeps n8n from publishing', async () => {
		const old = await ready({ ...three, events: ['singleSendCreated'] });
		failing(contacts, 1000);
		const { id } = old.workflow;
		const edited = new Poller(sandbox, three, old.savedState(), {}, { id });
		const since = says.replace('10:01', '10:00');
		const publishing = { budgetMs: undefined };
		for (let attempt = 0; attempt < 2; attempt++) {
			expect(await outcome(edited, publishing)).toEqual([since]);
		}
		repair();
		expect(await outcome(edited, publishing)).toEqual([]);
		add.contactAdded();
		expect(await outcome(edited)).toEqual(['contactAdded']);
	});

	it('and was read before does not keep n8n from publishing, but is reported afterwards', async () => {
		const poller = await ready();
		failing(contacts, 1000);
		at(1);
		await outcome(poller);
		at(700);
		add.singleSendCreated();
		const { id } = poller.workflow;
		const again = new Poller(sandbox, three, poller.savedState(), {}, { id });
		expect(await outcome(again, { budgetMs: undefined })).toEqual(['singleSendCreated']);
		at(701);
		expect(await outcome(again)).toEqual([
			expect.stringMatching(/^The list of contacts has been unreadable since/),
		]);
	});

	it("and is added to a workflow that n8n's scheduler polls holds up no others", async () => {
		const old = await ready({ ...three, events: ['singleSendCreated'] });
		failing(contacts, 1000);
		const edited = new Poller(sandbox, three, old.savedState(), {}, { id: old.workflow.id });
		add.singleSendCreated();
		const since = says.replace('10:01', '10:00');
		expect([await outcome(edited), await outcome(edited)]).toEqual([
			[since],
			['singleSendCreated'],
		]);
	});

	it('and is chosen by an expression after the publishing holds up no others', async () => {
		const poller = new Poller(sandbox, { ...three, events: ['singleSendCreated'] });
		const poll = poller.published();
		expect(await poll()).toEqual([]);
		failing(contacts, 1000);
		Object.assign(poller.workflow.getNode('Trigger')?.parameters ?? {}, three);
		add.singleSendCreated();
		await expect(poll()).rejects.toThrow('The list of contacts has been unreadable since');
		expect(await poll()).toMatchObject([{ event: 'singleSendCreated' }]);
	});

	it('before it was ever read does not keep the trigger from starting with n8n', async () => {
		failing(contacts, 1000);
		const poller = new Poller(sandbox, three);
		await expect(poller.poll({ budgetMs, activation: 'init' })).rejects.toMatchObject({
			description: expect.stringContaining('may be lost until it has been read'),
		});
		expect(await outcome(poller, { activation: 'init' })).toEqual([]);
		add.singleSendCreated();
		expect(await outcome(poller)).toEqual(['singleSendCreated']);
	});

	it('before it was ever read is an error of the poll after the start of n8n', async () => {
		failing(contacts, 1000);
		const poller = new Poller(sandbox, three);
		expect(await poller.poll({ activation: 'init' })).toEqual([]);
		await expect(poller.poll({ budgetMs })).rejects.toMatchObject({
			description: expect.stringContaining('may be lost until it has been read'),
		});
	});

	it('like all others does not keep the trigger from starting with n8n', async () => {
		const one = { events: ['singleSendCreated'], options: once };
		failing(sends, 2);
		const poller = new Poller(sandbox, one);
		expect(await poller.poll({ activation: 'init' })).toEqual([]);
		await expect(poller.poll()).rejects.toThrow('HTTP 500');
		expect(await outcome(poller)).toEqual([]);
		add.singleSendCreated();
		expect(await outcome(poller)).toEqual(['singleSendCreated']);
		failing(sends);
		await expect(new Poller(sandbox, one).poll({ activation: 'activate' })).rejects.toThrow('500');
	});

	describe('with Emit Existing Records', () => {
		const existing = { ...three, options: { ...three.options, emitExisting: true } };

		it('is reported once it can be read, if the first poll could not read it', async () => {
			const poller = new Poller(sandbox, existing);
			addAll();
			slow(contacts, 2);
			expect(await outcome(poller)).toEqual(['automationCreated', 'singleSendCreated']);
			expect(await outcome(poller)).toEqual([]);
			expect(await outcome(poller)).toEqual(['contactAdded']);
			expect(await outcome(poller)).toEqual([]);
		});

		it.each([0, 1])(
			'is only remembered if it was added later, after %d failures',
			async (times) => {
				const first = new Poller(sandbox, { ...existing, events: ['singleSendCreated'] });
				addAll();
				expect(await outcome(first)).toEqual(['singleSendCreated']);
				const poller = first.restarted(first.savedState(), existing);
				if (times > 0) slow(contacts, times);
				for (let count = 0; count < 3; count++) expect(await outcome(poller)).toEqual([]);
				repair();
				addAll();
				expect(await outcome(poller)).toEqual(three.events.sort());
			},
		);
	});

	describe('after the account has changed', () => {
		const { publicKey } = keys;
		const other = { publicKey: 'another-public-key' };
		afterEach(() => Object.assign(sandbox.state.keys, { publicKey }));

		/** The same node with the keys of another account, whose lists are empty. */
		function changed(old: Poller): Poller {
			Object.assign(sandbox.state.keys, other);
			return new Poller(sandbox, three, old.savedState(), other, { id: old.workflow.id });
		}

		it('keeps n8n from publishing until it was read', async () => {
			const old = await ready();
			failing(contacts, 1000);
			const poller = changed(old);
			await expectUnpublishable(poller, [0, 10], 'has never been read with the current keys');
			repair();
			expect(await outcome(poller, { activation: 'activate' })).toEqual([]);
			addAll();
			expect(await outcome(poller)).toEqual(three.events.sort());
		});

		it('reports nothing that existed there, also with Emit Existing Records', async () => {
			const parameters = { ...three, options: { ...three.options, emitExisting: true } };
			const old = new Poller(sandbox, parameters);
			addAll();
			expect(await outcome(old)).toEqual(three.events.sort());
			Object.assign(sandbox.state.keys, other);
			const { singleSends, contacts: people, automations: series } = store();
			for (const table of [singleSends, people, series]) table.clear();
			singleSends.add({ user_id: 8 }, START);
			people.add({ email: 'ben@example.com', user_id: 8 }, START);
			series.add({ user_id: 8 }, START);
			const { id } = old.workflow;
			const poller = new Poller(sandbox, parameters, old.savedState(), other, { id });
			expect(await outcome(poller)).toEqual([]);
			addAll();
			expect(await outcome(poller)).toEqual(three.events.sort());
		});

		it('is an error at once, and the events of others are not lost', async () => {
			const old = await ready();
			const poller = changed(old);
			failing(contacts, 1000);
			await expect(poller.poll({ budgetMs })).rejects.toMatchObject({
				description: expect.stringContaining('may be lost until it has been read'),
			});
			expect(await outcome(poller)).toEqual([]);
			add.singleSendCreated();
			expect(await outcome(poller)).toEqual(['singleSendCreated']);
		});

		it('has been unreadable only since then, although it was before', async () => {
			const old = await ready();
			failing(contacts, 1000);
			at(1);
			expect(await outcome(old)).toEqual([]);
			const poller = changed(old);
			at(30);
			expect(await outcome(poller, { budgetMs: undefined })).toEqual([
				says.replace('10:01', '10:30'),
			]);
		});
	});

	it('with all others is an error in each poll, also where each is too slow by itself', async () => {
		const poller = await ready();
		for (const path of [sends, contacts, automations]) slow(path, 9);
		expect(await outcome(poller)).toEqual([]);
		expect(await outcome(poller)).toEqual([]);
		for (const list of ['contacts', 'campaigns', 'automations', 'contacts']) {
			expect(await outcome(poller)).toEqual([
				expect.stringContaining(`The list of ${list} took longer than the 0.9 seconds`),
			]);
		}
		repair();
		addAll();
		expect(await outcome(poller)).toEqual(three.events.sort());
	});

	it('with all others is an error in each poll', async () => {
		const poller = await ready();
		const before = poller.savedState();
		failing(sends, 3);
		failing(contacts, 3);
		failing(automations, 3);
		for (let count = 0; count < 3; count++) {
			expect(await outcome(poller)).toEqual(['The service is temporarily unavailable (HTTP 500)']);
		}
		expect(poller.savedState()).toEqual(before);
	});
});
