import fc from 'fast-check';

import { json, key, nested } from './arbitraries';
import type { Reply } from './recorder';

/** One thing that is wrong with an answer. */
export interface Change {
	/** Which of the values of the answer it is about. */
	at: number;
	how: 'replace' | 'remove' | 'repeat' | 'wrap' | 'unwrap' | 'add' | 'many' | 'deep';
	key: string;
	value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
	at: fc.nat(1_000_000),
	how: fc.oneof(
		{ arbitrary: fc.constant<Change['how']>('replace'), weight: 10 },
		{ arbitrary: fc.constantFrom<Change['how']>('remove', 'repeat', 'add'), weight: 6 },
		{ arbitrary: fc.constantFrom<Change['how']>('wrap', 'unwrap'), weight: 2 },
		{ arbitrary: fc.constantFrom<Change['how']>('many', 'deep'), weight: 1 },
	),
	key,
	value: json,
});

/** An answer that is not what the endpoint promises. */
export interface Spoilt {
	changes: Change[];
	/** In place of the answer. */
	raw?: string;
	status: number;
}

/** Bodies that are no answers at all. */
const raws = fc.oneof(
	fc.constantFrom(
		...['', ' ', 'null', 'true', '0', '[]', '{}', '""', '"success"', '{"status":"success"}'],
		...['{"status":"success","message":null}', '{"status":"success","message":[]}'],
		...['{"status":"success","message":"\\u0000\\ud800"}', '{"status":["success"],"message":{}}'],
		...[
			'{"status":"failed"}',
			'{"status":"failed","errors":null}',
			'{"status":"failed","errors":[]}',
		],
		...['{"status":"failed","errors":{"__proto__":{"x":1}}}', '<!doctype html><p>Sign in</p>'],
		...['{"__proto__":{"status":"success"}}', '{"status":"success","message":', '\ufeff{}', 'NaN'],
		...['{"toString":1,"valueOf":1}', `"${'x'.repeat(1_000_000)}"`, '[null,1,"x",[],{}]'],
	),
	fc
		.tuple(fc.constantFrom('status', 'errors', 'message'), json)
		.map(([name, given]) =>
			JSON.stringify({ status: name === 'errors' ? 'failed' : 'success', [name]: given }),
		),
	fc
		.dictionary(key, json, { maxKeys: 3 })
		.map((errors) => JSON.stringify({ status: 'failed', errors })),
	json.map((given) => JSON.stringify(given) ?? ''),
);

const status = fc.oneof(
	{ arbitrary: fc.constant(200), weight: 8 },
	{ arbitrary: fc.constantFrom(201, 202, 204, 299, 400, 404, 422), weight: 1 },
);

export const spoilt: fc.Arbitrary<Spoilt> = fc.oneof(
	{
		arbitrary: fc.record({ changes: fc.array(change, { minLength: 1, maxLength: 3 }), status }),
		weight: 3,
	},
	{ arbitrary: fc.record({ changes: fc.constant<Change[]>([]), raw: raws, status }), weight: 1 },
);

/** A place in a JSON value: what holds it, and under which name. */
type Spot = [holder: Record<string, unknown>, name: string];

const looked = 4;

function spotsIn(value: unknown, found: Spot[] = []): Spot[] {
	if (typeof value !== 'object' || value === null) return found;
	const holder = value as Record<string, unknown>;
	for (const name of Object.keys(holder).slice(0, Array.isArray(value) ? looked : 40)) {
		found.push([holder, name]);
		spotsIn(holder[name], found);
	}
	return found;
}

const set = (holder: object, name: string, value: unknown) =>
	Object.defineProperty(holder, name, {
		value,
		enumerable: true,
		configurable: true,
		writable: true,
	});

function spoil(
	root: { body: unknown },
	{ at, how, key, value: given }: Change,
	depth: number,
): void {
	const spots = spotsIn(root);
	// The answer itself may have been removed.
	const [holder, name] = spots[at % spots.length] ?? ([root, 'body'] as Spot);
	const old = holder[name];
	// What is put in may be changed by the next change.
	const value = structuredClone(given);
	const inList = Array.isArray(holder);
	if (how === 'replace') set(holder, name, value);
	else if (how === 'remove' && inList) holder.splice(Number(name), 1);
	else if (how === 'remove') delete holder[name];
	else if (how === 'repeat' && inList) holder.push(old);
	else if (how === 'repeat') set(holder, name, [old, old]);
	else if (how === 'wrap') set(holder, name, { [key]: old });
	else if (how === 'unwrap' && typeof old === 'object')
		set(holder, name, Object.values(old ?? {})[0]);
	else if (how === 'many')
		set(
			holder,
			name,
			Array.from({ length: at % 10 === 0 ? 2_000 : 100 }, () => old),
		);
	else if (how === 'deep') set(holder, name, nested(depth));
	else if (inList) holder.splice(Number(name), 0, value);
	else set(holder, key, value);
}

/** The answer with all that is wrong with it. */
export function spoiltReply(usual: string, { changes, raw, status }: Spoilt): Reply {
	if (raw !== undefined) return { body: raw, status };
	let root: { body: unknown };
	try {
		root = { body: JSON.parse(usual) };
	} catch {
		return { body: usual.slice(0, usual.length / 2), status };
	}
	// Many of many would not fit into memory, and deep in deep would be too deep for JSON.stringify.
	const first = (how: Change['how']) => changes.find((one) => one.how === how);
	const once = [first('many'), first('deep')];
	// To write down a list of many deep values takes many seconds.
	const depth = once[0] === undefined ? 2_000 : 100;
	for (const one of changes) {
		const isAgain = (one.how === 'many' || one.how === 'deep') && !once.includes(one);
		if (!isAgain) spoil(root, one, depth);
	}
	return { body: JSON.stringify(root.body) ?? '', status };
}
