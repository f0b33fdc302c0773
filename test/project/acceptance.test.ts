import fc from 'fast-check';
import { endpoints } from '../../sandbox/endpoints/index.ts';
import { readings } from '../../sandbox/readings.ts';
import { DEFAULTS, startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { learnProfile, toldByHarm, type Profile } from '../../scripts/lib/acceptance/acceptance.ts';
import { untried } from '../../scripts/lib/acceptance/roundTrip.ts';

let sandbox: Sandbox;
afterEach(async () => await sandbox.close());

/** Those that only a new account shows. */
const ofNewAccounts = /^empty-lists/;

/** An account in which a live automation was paused, and a campaign was sent to a segment. */
async function start(settings: object, seed: 'demo' | 'empty' = 'demo'): Promise<void> {
	sandbox = await startSandbox({ seed, settings: { tickMs: 0, ...settings } });
	const { automations, singleSends } = sandbox.state.tables;
	const toSegment = singleSends.all().find(({ recipient_id: [to] }) => to?.table === 'segments_');
	if (toSegment) singleSends.put({ ...toSegment, status: 3, triggered: 40 });
	const live = automations.all().find(({ status }) => status === 1);
	if (live) automations.put({ ...live, status: sandbox.state.settings.pauseStatus });
}

const learn = async (email?: string): Promise<Profile> =>
	await learnProfile(sandbox.baseUrl, DEFAULTS, email);

const me = 'me@example.com';

const counts = (): Record<string, number> =>
	Object.fromEntries(
		Object.entries(sandbox.state.tables).map(([name, table]) => [
			name,
			(table as { all(): unknown[] }).all().length,
		]),
	);

it('sends nothing to anybody, and leaves nothing but an unsubscribe group', async () => {
	await start({});
	const before = counts();
	const { left, unknownSettings, failedWrites } = await learn(me);
	expect(failedWrites).toEqual([]);
	expect(left).toEqual(['unsubscribe group "n8n-acceptance-group", which the API cannot delete']);
	expect(counts()).toEqual({ ...before, unsubscribeGroups: (before.unsubscribeGroups ?? 0) + 1 });
	expect(unknownSettings).toEqual(['emptyLists', ...toldByHarm]);
	const { violations, entries } = sandbox.state.journal;
	expect(violations).toEqual([]);
	expect(entries.map(({ path }) => path)).not.toContain('/automations/set-live');
	const sends = entries.filter(({ path }) => path === '/single/send/create');
	expect(new Set(sends.map(({ body }) => body?.schedule_type))).toEqual(new Set(['1']));
	const addresses = entries
		.filter(({ path }) => path === '/sender/save')
		.map(({ body }) => body?.from_email);
	expect(new Set(addresses)).toEqual(new Set([me]));
});

it('tries every write that needs nothing of others, and names those that fail', async () => {
	await start({});
	const failed = ['/sender/update', '/automations/schedule/create'];
	for (const path of failed) {
		sandbox.state.faults.add({ kind: 'failed', errors: 'No', times: 9, match: { path } });
	}
	const { failedWrites } = await learn(me);
	expect(failedWrites).toEqual([
		'POST /automations/schedule/create (49d)',
		'DELETE /automations/schedule/delete (49e)',
		'POST /sender/update (54)',
	]);
	const sent = new Set(sandbox.state.journal.entries.map(({ path }) => path));
	const others = endpoints.filter(({ number, path }) => untried.includes(number) && sent.has(path));
	expect(others).toEqual([]);
});

it('without an address, only reads', async () => {
	await start({});
	const { settings } = await learn();
	expect(settings).toMatchObject({ methods: 'both', failureStatus: 200, dynamicContent: 'all' });
	const { entries } = sandbox.state.journal;
	// Of the senders (51), the reference names two methods.
	const others = entries.filter(({ method, path }) => method !== 'GET' && path !== '/senders');
	expect(others).toEqual([]);
});

it('cleans up after a failure, and after an earlier run', async () => {
	await start({});
	const before = counts();
	sandbox.state.faults.add({ kind: 'reset-before', match: { path: '/single/send/create' } });
	await expect(learn(me)).rejects.toThrow('POST /single/send/create got no answer: ');
	expect(counts()).toEqual({ ...before, unsubscribeGroups: (before.unsubscribeGroups ?? 0) + 1 });
});

const harmless = Object.entries(readings).filter(
	([, settings]) => !toldByHarm.some((name) => name in settings),
);

it.each(harmless)('finds %s', async (name, reading) => {
	await start(reading, ofNewAccounts.test(name) ? 'empty' : 'demo');
	expect((await learn(me)).settings).toMatchObject(reading);
});

/** Where all IDs are texts, that of a group says nothing. */
const isTold = (names: string[]): boolean =>
	!names.includes('group-entries-in-global-list-as-text') ||
	!names.some((name) => /^(?:ids|numbers)-as-/.test(name));

const several = fc
	.shuffledSubarray(
		harmless.map(([name]) => name).filter((name) => !ofNewAccounts.test(name)),
		{ minLength: 2, maxLength: 5 },
	)
	.filter(isTold)
	.map((names) => names.join(' + '));

/** More of them in `npm run test:readings`. */
const combinations = process.env.EMAIL_MARKETING_READINGS === 'all' ? 50 : 5;

it.each(fc.sample(several, combinations))('finds %s', async (names) => {
	const all = Object.assign({}, ...names.split(' + ').map((name) => readings[name])) as object;
	await start(all);
	expect((await learn(me)).settings).toMatchObject(all);
});
