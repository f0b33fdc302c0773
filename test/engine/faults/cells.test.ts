import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { useService } from '../sandbox';
import { Gate } from './gate';
import { Watched } from './inflict';
import { keysIn, Watch } from './keys';
import { checkCall } from './node';
import { checkPoll } from './poll';
import { hurry } from './silence';
import { checkSync } from './sync';
import { columns, table, type Column } from './table';
import { variants } from './variants';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./pauses').withoutPauses(),
);

const test = useService({ deletes: 'gone' });
const watch = new Watch();
let watched: Watched;
const gotElsewhere: string[] = [];
const other = createServer((request, response) => {
	gotElsewhere.push(request.url ?? '');
	response.end('{"status":"success","message":"Added Successfully"}');
});

beforeAll(async () => {
	await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
	const elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}/api/contacts-type`;
	watched = new Watched(test.service, watch, new Gate(test.service.sandbox.port), elsewhere);
});
let unhurry = () => {};
beforeEach(async () => {
	await watched.gate.open();
	watch.start();
});
afterEach(() => {
	unhurry();
	expect(keysIn(watch.end())).toEqual([]);
	expect(gotElsewhere).toEqual([]);
});
afterAll(async () => {
	watched.gate.destroy();
	await new Promise((resolve) => other.close(resolve));
});

describe.each(table.map((row) => [row.fault, row] as const))('%s', (_fault, row) => {
	it.each(Object.keys(columns) as Column[])('%s', async (column) => {
		// A poll ends by the time that n8n gives it.
		if (column === 'poll') return await checkPoll(watched, row);
		unhurry = hurry(test.service.state.faults);
		if (column === 'sync') await checkSync(watched, row);
		else await checkCall(watched, row, column);
	});
});

describe.each(variants.map((row) => [row.fault, row] as const))('%s', (_fault, row) => {
	it.each(['list', 'create'] as const)('%s', async (call) => {
		unhurry = hurry(test.service.state.faults);
		await checkCall(watched, row, call);
	});
});
