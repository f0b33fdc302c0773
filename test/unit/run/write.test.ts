import fc from 'fast-check';

import { Ledger } from '../../../nodes/EmailMarketing/run/writer/ledger';
import { notSent, type Outcome } from '../../../nodes/EmailMarketing/run/writer/outcome';
import {
	write,
	type Action,
	type WriteContext,
} from '../../../nodes/EmailMarketing/run/writer/write';
import { ServiceError, type Failure } from '../../../nodes/EmailMarketing/service/failure';
import type { WritingClient } from '../../../nodes/EmailMarketing/service/client';
import type { Endpoint } from '../../../nodes/EmailMarketing/service/endpoints';
import { Cancelled, Pool } from '../../../nodes/EmailMarketing/util/pool';

const endpoint: Endpoint = { number: '0', method: 'POST', path: '/write', changesData: true };

const rejected: Failure = {
	...{ code: 'request-rejected', message: 'Rejected', description: 'Correct it.' },
	...{ effect: 'none', httpCode: '200' },
};
const lost: Failure = {
	...{ code: 'connection-lost', message: 'Lost', description: 'Look.', effect: 'unknown' },
};
const refused: Failure = { ...rejected, code: 'connection-refused', httpCode: undefined };

type Answer = 'done' | 'rejected' | 'lost, done' | 'lost, not done' | 'refused';

interface Part {
	id: number;
	answer: Answer;
	record?: number;
	batch?: string;
	phase?: number;
	isVerified: boolean;
}

/** A service that carries out parts, and says what was sent in which order. */
class Service {
	readonly requests: number[][] = [];
	/** Begins and ends of requests. */
	readonly log: Array<{ id: number; isEnd: boolean }> = [];
	readonly done = new Set<number>();
	reads = 0;
	isUnreadable = false;

	client(parts: readonly Part[]): WritingClient {
		return {
			read: async () => {
				throw new Error('Only writes are expected');
			},
			write: async (_request, parse) => {
				this.requests.push(parts.map(({ id }) => id));
				for (const { id } of parts) this.log.push({ id, isEnd: false });
				await new Promise((resolve) => setImmediate(resolve));
				for (const { id } of parts) this.log.push({ id, isEnd: true });
				const failure = this.answer(parts);
				if (failure) throw new ServiceError(failure);
				return await parse({ statusCode: 200, headers: {}, body: {} }, { changesData: true });
			},
		};
	}

	private answer(parts: readonly Part[]): Failure | undefined {
		const answers = new Set(parts.map(({ answer }) => answer));
		if (answers.has('refused')) return refused;
		if (answers.has('rejected')) return rejected;
		if (answers.has('lost, not done')) return lost;
		for (const { id } of parts) this.done.add(id);
		return answers.has('lost, done') ? lost : undefined;
	}

	readonly verify = {
		read: async () => {
			this.reads++;
			await Promise.resolve();
			if (this.isUnreadable) throw new Error('No list');
			return ({ id }: Part) => this.done.has(id);
		},
		rerun: 'nothing is sent twice.',
	};

	action(part: Part): Action<Part> {
		const { id, record, isVerified, batch, phase } = part;
		return {
			...{ part, batch, phase, keys: [`part ${id}`] },
			...(record !== undefined && batch === undefined && { record: `record ${record}` }),
			...(isVerified && { verify: this.verify }),
			prepare: ({ parts }) => ({
				client: this.client(parts),
				request: { endpoint },
				read: () => [{ json: { id } }],
			}),
		};
	}
}

function runOf(given: Partial<WriteContext> = {}, parallel = 3): WriteContext {
	const run = {
		...{ service: `memory ${Math.random()}`, continueOnFail: true, isHalted: false },
		halt() {
			run.isHalted = true;
		},
		...{
			ledger: new Ledger(),
			pool: new Pool({ parallel: () => parallel }),
			signal: new AbortController().signal,
		},
		...given,
	};
	return run;
}

const answer = fc.constantFrom<Answer>('done', 'done', 'rejected', 'lost, done', 'lost, not done');

const parts = fc
	.array(
		fc.record({
			answer,
			record: fc.option(fc.nat(2), { nil: undefined }),
			batch: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
			phase: fc.option(fc.nat(2), { nil: undefined }),
			isVerified: fc.boolean(),
		}),
		{ maxLength: 12 },
	)
	.map((all) => all.map((part, id): Part => ({ ...part, id })));

const isDone = (outcome: Outcome | undefined) => outcome?.kind === 'items';

test('nothing that may have succeeded is sent again, by the run or by a further try', async () => {
	await fc.assert(
		fc.asyncProperty(parts, fc.boolean(), async (all, continueOnFail) => {
			const service = new Service();
			const ledger = new Ledger();
			const actions = all.map((part) => service.action(part));
			await write(runOf({ ledger, continueOnFail }), actions);
			const before = service.requests.length;
			const open = new Set(
				all.filter(({ id }) => ledger.priorOutcome(`part ${id}`) === undefined).map(({ id }) => id),
			);
			await write(runOf({ ledger, continueOnFail }), actions);
			for (const id of service.requests.slice(before).flat()) expect(open.has(id)).toBe(true);
			for (const { id, answer: what } of all) {
				const sent = service.requests.filter((ids) => ids.includes(id));
				const alone = sent.filter((ids) => ids.length === 1);
				if (what === 'done') expect(alone.length).toBeLessThanOrEqual(1);
				if (what.startsWith('lost')) expect(alone.length).toBeLessThanOrEqual(1);
			}
		}),
	);
});

test('actions about one record are sent one after the other, in their order, within a phase', async () => {
	await fc.assert(
		fc.asyncProperty(parts, async (all) => {
			const service = new Service();
			const single = all.map((part) => ({ ...part, batch: undefined, phase: undefined }));
			await write(
				runOf(),
				single.map((part) => service.action(part)),
			);
			for (const record of [0, 1, 2]) {
				const ids = single.filter((part) => part.record === record).map(({ id }) => id);
				const log = service.log.filter(({ id }) => ids.includes(id));
				expect(log).toEqual(
					ids.flatMap((id) => [
						{ id, isEnd: false },
						{ id, isEnd: true },
					]),
				);
			}
		}),
	);
});

test('a phase begins when those before it have ended', async () => {
	await fc.assert(
		fc.asyncProperty(parts, async (all) => {
			const service = new Service();
			await write(
				runOf(),
				all.map((part) => service.action(part)),
			);
			const phases = service.log.map(({ id }) => all[id]?.phase ?? 0);
			expect(phases).toEqual([...phases].sort());
		}),
	);
});

test('a batch that is rejected is sent one by one, and says of each what became of it', async () => {
	const service = new Service();
	const part = (id: number, what: Answer): Part => ({
		...{ id, answer: what, batch: 'a', isVerified: true },
	});
	const all = [part(0, 'done'), part(1, 'rejected'), part(2, 'done')];
	const outcomes = await write(
		runOf(),
		all.map((one) => service.action(one)),
	);
	expect(service.requests).toEqual([[0, 1, 2], [0], [1], [2]]);
	expect(outcomes.map(isDone)).toEqual([true, false, true]);
	// The service may have carried out a part of the batch.
	expect(service.reads).toBe(1);
	expect(outcomes[1]).toMatchObject({
		error: { failure: { message: 'Rejected' } },
		effect: 'none',
	});
});

test('a request has at most 100 parts', async () => {
	const service = new Service();
	const all = Array.from({ length: 205 }, (_, id) => ({
		...{ id, answer: 'done' as const, batch: 'a', isVerified: false },
	}));
	await write(
		runOf(),
		all.map((one) => service.action(one)),
	);
	expect(service.requests.map((ids) => ids.length)).toEqual([100, 100, 5]);
});

describe('a lost response', () => {
	const all = (['lost, done', 'lost, not done', 'done'] as const).map((what, id): Part => ({
		...{ id, answer: what, isVerified: true },
	}));

	test('is looked up in the list, once for all', async () => {
		const service = new Service();
		const outcomes = await write(
			runOf(),
			all.map((one) => service.action(one)),
		);
		expect(service.reads).toBe(1);
		expect(outcomes).toMatchObject([
			{
				kind: 'items',
				note: 'The response was lost, but the list is as planned',
			},
			{
				kind: 'failed',
				effect: 'none',
				error: {
					message:
						'Lost. The list read afterwards does not show this write. Run again to repeat it.',
				},
			},
			{ kind: 'items', items: [{ json: { id: 2 } }] },
		]);
		expect(outcomes[2]).not.toHaveProperty('note');
	});

	test('stays unknown if the list cannot be read', async () => {
		const service = new Service();
		service.isUnreadable = true;
		const outcomes = await write(
			runOf(),
			all.map((one) => service.action(one)),
		);
		const message =
			'Lost. The list could not be read afterwards (No list). Run again: nothing is sent twice.';
		const unknown = { kind: 'failed', effect: 'unknown', error: { message } };
		expect(outcomes).toMatchObject([unknown, unknown, { kind: 'items' }]);
	});

	test('is not looked up where nothing was lost', async () => {
		const service = new Service();
		await write(runOf(), [service.action({ id: 0, answer: 'done', isVerified: true })]);
		await write(runOf(), [service.action({ id: 1, answer: 'rejected', isVerified: true })]);
		expect(service.reads).toBe(0);
	});
});

describe('a run that stops at a failure', () => {
	const parts3 = (['done', 'rejected', 'done'] as const).map((what, id): Part => ({
		...{ id, answer: what, isVerified: false },
	}));

	test('sends nothing after it', async () => {
		const service = new Service();
		const outcomes = await write(
			runOf({ continueOnFail: false }, 1),
			parts3.map((one) => service.action(one)),
		);
		expect(service.requests).toEqual([[0], [1]]);
		expect(outcomes.map(({ kind }) => kind)).toEqual(['items', 'failed', 'notSent']);
	});

	test('sends nothing at all if something was refused before', async () => {
		const service = new Service();
		const before: Outcome = { kind: 'failed', error: new Error('No'), effect: 'none' };
		const outcomes = await write(runOf({ continueOnFail: false }), [
			service.action({ id: 0, answer: 'done', isVerified: false }),
			before,
		]);
		expect(service.requests).toEqual([]);
		expect(outcomes).toEqual([notSent, before]);
	});

	test('goes on where every part is its own', async () => {
		const service = new Service();
		await write(
			runOf({ continueOnFail: false }, 1),
			parts3.map((one) => service.action(one)),
			false,
		);
		expect(service.requests).toEqual([[0], [1], [2]]);
	});
});

test('an action that follows others waits for them, up to the first that succeeded', async () => {
	const service = new Service();
	const seen: string[][] = [];
	const last = service.action({ id: 3, answer: 'done', isVerified: false });
	await write(runOf(), [
		service.action({ id: 0, answer: 'rejected', isVerified: false }),
		service.action({ id: 1, answer: 'done', isVerified: false }),
		service.action({ id: 2, answer: 'done', isVerified: false }),
		{
			...last,
			follows: { positions: [0, 1, 2, 3], count: 3 },
			prepare(turn) {
				seen.push(turn.earlier.map(({ kind }) => kind));
				return last.prepare(turn);
			},
		},
	]);
	expect(seen).toEqual([['items']]);
});

test('many actions that follow each other read each outcome about once', async () => {
	const service = new Service();
	const count = 200;
	let reads = 0;
	const positions = new Proxy([...Array(count).keys()], {
		get(all, key) {
			reads++;
			return all[Number(key)];
		},
	});
	const outcomes = await write(
		runOf(),
		Array.from({ length: count }, (_, id) => ({
			...service.action({ id, answer: 'rejected', isVerified: false }),
			follows: { positions, count: id },
		})),
	);
	expect(outcomes.filter(({ kind }) => kind === 'failed')).toHaveLength(count);
	expect(reads).toBeLessThan(4 * count);
});

test('a failure can mean that the action has what it wanted', async () => {
	const service = new Service();
	const action = service.action({ id: 0, answer: 'rejected', isVerified: false });
	const outcomes = await write(runOf(), [{ ...action, explain: () => undefined }]);
	expect(outcomes).toMatchObject([{ kind: 'items', items: [] }]);
});

test.each([
	['more to send', [0, 1]],
	['nothing more to send', [0]],
])('a run that is canceled with %s ends there, and says so', async (_what, ids) => {
	const service = new Service();
	const canceled = new AbortController();
	const pool = new Pool({ parallel: () => 1, signal: canceled.signal });
	const actions = ids.map((id): Action<Part> => {
		const action = service.action({ id, answer: 'done', isVerified: false });
		return {
			...action,
			prepare(turn) {
				canceled.abort();
				return action.prepare(turn);
			},
		};
	});
	const run = runOf({ pool, signal: canceled.signal });
	await expect(write(run, actions)).rejects.toBeInstanceOf(Cancelled);
	expect(service.requests).toEqual([[0]]);
});
