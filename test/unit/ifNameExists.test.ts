import type { IDataObject } from 'n8n-workflow';

import { ifNameExists } from '../../nodes/EmailMarketing/features/campaigns/ifNameExists';
import type { ItemPlan } from '../../nodes/EmailMarketing/run/operation';
import { ledgerOf } from '../../nodes/EmailMarketing/run/writer/ledger';

/** Items that return the single send of their name, in a run whose list has the given ones. */
async function resolve(sends: IDataObject[], names: string[]) {
	const cache = new Map<string, unknown>();
	const memoize = (key: string, make: () => unknown) => {
		if (!cache.has(key)) cache.set(key, make());
		return cache.get(key);
	};
	const ledger = ledgerOf({});
	const run = { continueOnFail: true, memoize, recent: memoize, ledger, flowData: {} };
	const client = { read: async () => await Promise.resolve(sends) };
	const prepared = names.map((name, index) => {
		const item = { index, param: () => 'return' };
		const draft = { run, item, client, body: { single_send_name: name } };
		return { kind: 'send', item, draft } as unknown as ItemPlan;
	});
	const resolved = await ifNameExists.resolve(run as never, prepared);
	return resolved.map((request) =>
		request.kind === 'items' ? request.items[0]?.json.utr : request.kind,
	);
}

const send = (id: unknown, name: unknown) =>
	({ id, utr: `utr ${String(id)}`, single_send_name: name }) as IDataObject;

it('finds the newest campaign of a name, wherever it is in the list', async () => {
	const sends = [send(3, 'Spring'), send(9, ' Spring '), send('7', 'Spring'), send(8, 'SPRING')];
	expect(await resolve(sends, ['Spring', ' SPRING', 'spring', 'Summer'])).toEqual([
		'utr 9',
		'utr 8',
		'send',
		'send',
	]);
	expect(await resolve([send(1, undefined), send(2, 5)], ['5', 'constructor'])).toEqual([
		'utr 2',
		'send',
	]);
});

it('reads the name of each campaign once for all items of a run', async () => {
	let read = 0;
	const sends = [1, 2, 3].map((id) => ({
		...send(id, ''),
		get single_send_name() {
			read++;
			return `Campaign ${id}`;
		},
	}));
	const names = Array.from({ length: 50 }, (_, index) => `Newsletter ${index}`);
	expect(new Set(await resolve(sends, names))).toEqual(new Set(['send']));
	expect(read).toBe(sends.length);
});
