import fc from 'fast-check';
import type { Fault } from '../../sandbox/faults.ts';
import type { Entry } from '../../sandbox/journal.ts';
import type { SandboxClient } from '../../scripts/lib/sandbox-client.ts';
import { countMet, Faults, isUsed, KINDS, TARGETS, type Target } from '../faults.ts';
import { Random } from '../random.ts';
import { neverMet } from '../report.ts';
import type { Cursors } from '../n8n.ts';

/** The faults of a run in which each is met before the next one comes. */
async function injected(cursors: Cursors, seed: string, times: number): Promise<Fault[]> {
	const faults: Fault[] = [];
	const sandbox = {
		control: async () => [],
		fault: async (fault: Fault) => void faults.push(fault),
	} as unknown as SandboxClient;
	const source = new Faults(sandbox, cursors, new Random(seed));
	for (let left = times; left > 0; left--) await source.inject();
	return faults;
}

const entry = ({ kind, status, match }: Fault): Entry =>
	({ ...match, path: match?.path ?? '/contacts/add', fault: kind, status }) as Entry;

const cursors = fc.constantFrom<Cursors>('durable', 'plain');

test('all kinds come for each target before one comes again, and none that is left out', async () => {
	await fc.assert(
		fc.asyncProperty(cursors, fc.string(), async (which, seed) => {
			const met = (await injected(which, seed, 150)).map(entry);
			for (const target of TARGETS) {
				const counts = KINDS.map((kind) => ({ kind, count: countMet(met, target, kind) }));
				const used = counts.filter(({ kind }) => isUsed(which, target, kind));
				const numbers = used.map(({ count }) => count);
				expect(Math.max(...numbers) - Math.min(...numbers)).toBeLessThanOrEqual(1);
				expect(counts.filter((one) => !used.includes(one) && one.count > 0)).toEqual([]);
			}
		}),
	);
});

test('a request that waits for a fault gets no second one', async () => {
	const waiting: Fault[] = [];
	const sandbox = {
		control: async () => waiting,
		fault: async (fault: Fault) => void waiting.push(fault),
	} as unknown as SandboxClient;
	const faults = new Faults(sandbox, 'durable', new Random('a'));
	for (let left = 200; left > 0; left--) await faults.inject();
	expect(waiting.map(({ match }) => match?.path).sort()).toEqual([
		'/automations',
		'/contacts/add',
		'/contacts/bulk-delete',
		'/contacts/list',
		'/contacts/update',
		'/global-unsubscribes',
		'/single-send/list',
		'/unsubscribes-groups/recipients-list',
	]);
	expect(faults.injected).toBe(8);
});

test('kinds that no request met are told', () => {
	const journal = KINDS.flatMap((kind) => {
		const [, status] = /^HTTP (\d+)$/.exec(kind) ?? [];
		const fault = { fault: status ? 'status' : kind, status: status ? Number(status) : 200 };
		const of = (target: Target) =>
			({
				polls: { method: 'GET', path: '/automations' },
				reads: { method: 'GET', path: '/global-unsubscribes' },
				writes: { method: 'POST', path: '/contacts/add' },
			})[target];
		return TARGETS.filter((target) => target !== 'writes' || kind !== 'html').map((target) => ({
			...fault,
			...of(target),
		}));
	}) as Entry[];
	expect(neverMet(journal, 'durable')).toEqual(['no request of writes met html']);
	const later = journal.filter(({ path }) => path !== '/global-unsubscribes');
	expect(neverMet(later, 'plain')).toEqual([
		`no request of reads met ${KINDS.join(', ')}`,
		'no request of writes met html',
	]);
});
