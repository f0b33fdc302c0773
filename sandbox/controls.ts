import type { FastifyInstance } from 'fastify';
import { endpoints } from './endpoints/index.ts';
import { faultSchema, type Fault } from './faults.ts';
import { SEED_NAMES, type SeedName } from './seed.ts';
import { settingsSchema, type Settings } from './settings.ts';
import type { State } from './state.ts';
import type { Table } from './store.ts';
import { summaryOf } from './summary.ts';

type Row = { id: number };
type Fields = Record<string, unknown>;

const KEEPABLE = ['clock', 'settings', 'faults', 'journal', 'violations'];
const object = (properties: Fields) => ({
	type: 'object',
	additionalProperties: false,
	properties,
});
const anyObject = { type: 'object' };
const tableKey = object({ table: { type: 'string' } });

class NoSuch extends Error {
	readonly statusCode = 404;
}

/** The routes below /__sandbox. Every change is saved before it is confirmed. */
export function addControls(app: FastifyInstance, state: State): void {
	const { journal, faults, clock, settings, store } = state;
	const tableOf = (name: string): Table<Row> => {
		const table = store.named(name);
		if (!table) throw new NoSuch(`There is no table ${name}`);
		return table;
	};
	const rowOf = (table: Table<Row>, key: string): Row => {
		const row = (/^\d+$/.test(key) ? table.get(Number(key)) : undefined) ?? table.byUtr(key);
		if (!row) throw new NoSuch(`${table.name} has no ${key}`);
		return row;
	};
	const time = () => ({
		now: new Date(clock.now()).toISOString(),
		frozen: clock.frozen,
		tickMs: settings.tickMs,
	});

	app.addHook('preHandler', async () => state.settle());
	app.addHook('onSend', async () => state.save());

	app.get('/endpoints', async () =>
		endpoints.map(({ number, methods, path, encoding, query, body }) => ({
			number,
			methods,
			path,
			encoding,
			query: described(query),
			body: described(body),
		})),
	);

	app.get('/violations', async () => journal.violations);
	app.delete('/violations', async () => {
		journal.violations = [];
		return { ok: true };
	});

	const since = object({ since: { type: 'string', pattern: '^\\d+$' } });
	app.get<{ Querystring: { since?: string } }>(
		'/journal',
		{ schema: { querystring: since } },
		async ({ query }) => ({
			inFlight: journal.inFlight,
			maxInFlight: journal.maxInFlight,
			entries: journal.since(Number(query.since ?? 0)),
		}),
	);
	app.get<{ Params: { n: string } }>('/journal/:n', async ({ params }) => {
		const details = journal.details(Number(params.n));
		if (!details) throw new NoSuch(`The journal has no request ${params.n}`);
		return details;
	});
	app.delete('/journal', async () => {
		journal.clear();
		return { ok: true };
	});

	app.get('/mails', async () => state.runner.mails);

	const resetBody = object({
		seed: { enum: SEED_NAMES },
		keep: { type: 'array', items: { enum: KEEPABLE } },
	});
	app.post<{ Body: { seed?: SeedName; keep?: string[] } | undefined }>(
		'/reset',
		{ schema: { body: { ...resetBody, type: ['object', 'null'] } } },
		async ({ body }) => {
			state.reset(body?.seed ?? state.seed, body?.keep ?? []);
			return { ok: true, seed: body?.seed ?? state.seed };
		},
	);

	const rowsByTable = { type: 'object', additionalProperties: { type: 'array', items: anyObject } };
	app.post<{ Body: Record<string, Fields[]> }>(
		'/seed',
		{ schema: { body: rowsByTable } },
		async ({ body }) => {
			const inserted: Record<string, { count: number; first: number; last: number }> = {};
			const given = Object.entries(body).map(([name, rows]) => [tableOf(name), rows] as const);
			for (const [table, rows] of given) {
				const ids = rows.map((row) => table.add(row, clock.now()).id);
				inserted[table.name] = { count: ids.length, first: ids[0] ?? 0, last: ids.at(-1) ?? 0 };
			}
			return { inserted };
		},
	);

	app.get<{ Params: { table: string } }>(
		'/data/:table',
		{ schema: { params: tableKey } },
		async ({ params }) => tableOf(params.table).all(),
	);

	app.post<{ Params: { table: string }; Body: Fields }>(
		'/records/:table',
		{ schema: { body: anyObject } },
		async ({ params, body }) => tableOf(params.table).add(body, clock.now()),
	);
	app.route<{ Params: { table: string; key: string }; Body: Fields }>({
		method: ['POST', 'PATCH'],
		url: '/records/:table/:key',
		schema: { body: anyObject },
		handler: async ({ params, body }) => {
			const table = tableOf(params.table);
			return table.change(rowOf(table, params.key), body);
		},
	});
	app.delete<{ Params: { table: string; key: string } }>(
		'/records/:table/:key',
		async ({ params }) => {
			const table = tableOf(params.table);
			table.remove(rowOf(table, params.key).id);
			return { ok: true };
		},
	);

	app.get('/clock', async () => time());
	const clockBody = object({
		freeze: { type: 'boolean' },
		at: { type: 'string' },
		advanceMs: { type: 'number', minimum: 0 },
		tick: { type: 'integer', minimum: 1 },
	});
	app.post<{ Body: { freeze?: boolean; at?: string; advanceMs?: number; tick?: number } }>(
		'/clock',
		{ schema: { body: { ...clockBody, minProperties: 1 } } },
		async ({ body }, reply) => {
			if (body.freeze !== undefined) clock.freeze(body.freeze);
			if (body.at !== undefined) {
				const at = Date.parse(body.at);
				if (Number.isNaN(at)) return reply.code(400).send({ error: 'at is not a date' });
				clock.set(at);
			}
			if (body.advanceMs !== undefined) clock.advance(body.advanceMs);
			if (body.tick !== undefined) state.runner.tick(body.tick);
			state.settle();
			return time();
		},
	);

	app.get('/settings', async () => settings);
	app.patch<{ Body: Partial<Settings> }>(
		'/settings',
		{ schema: { body: settingsSchema } },
		async ({ body }) => Object.assign(settings, body),
	);

	app.get('/faults', async () => faults.list());
	app.post<{ Body: Fault }>('/faults', { schema: { body: faultSchema } }, async ({ body }) =>
		faults.add(body),
	);
	app.delete('/faults', async () => {
		faults.clear();
		return { ok: true };
	});

	app.get('/summary', async () => ({ ...time(), ...summaryOf(state) }));
}

const described = (params: Record<string, { type: string; required: boolean }>) =>
	Object.fromEntries(
		Object.entries(params).map(([name, { type, required }]) => [name, { type, required }]),
	);
