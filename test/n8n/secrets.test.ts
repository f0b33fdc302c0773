import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Fault } from '../../sandbox/faults.ts';
import { sandboxCredential } from '../../scripts/lib/demo-data.ts';
import { chain, n8n, node, resetSandbox, sandbox, typeOf } from './harness.ts';
import { savedByN8n, userFolder } from './saved.ts';

const { publicKey, secretKey } = sandboxCredential(sandbox.url);

const faults: Fault[] = [
	{ kind: 'status', status: 500 },
	{ kind: 'failed', errors: 'Account suspended' },
	{ kind: 'redirect', url: 'http://127.0.0.1:9/elsewhere' },
	{ kind: 'reset-before' },
	{ kind: 'timeout' },
	{ kind: 'truncated' },
	{ kind: 'html' },
];

const calls = {
	create: { resource: 'contactType', operation: 'create', name: 'Wholesale' },
	sync: {
		resource: 'contact',
		operation: 'sync',
		contactTypeId: { __rl: true, mode: 'id', value: '21' },
		fields: { mappingMode: 'autoMapInputData', value: null },
	},
};

beforeEach(resetSandbox);

it('n8n neither saves nor logs a key, whatever goes wrong', async () => {
	for (const fault of faults) {
		for (const parameters of Object.values(calls)) {
			await sandbox.fault(fault);
			const { error } = await n8n.runNode({
				...parameters,
				options: { retryTemporaryFailures: false },
				requestOptions: { timeout: 1000 },
			});
			expect(error?.message).toBeTruthy();
		}
	}
	await sandbox.fault({ kind: 'status', status: 401 });
	const trigger = node('Trigger', typeOf('emailMarketingTrigger'), {
		events: ['singleSendCreated'],
	});
	const end = node('End', 'n8n-nodes-base.noOp');
	expect((await n8n.runWorkflow(chain('A poll that fails', [trigger, end]))).status).toBe('error');

	const log = readFileSync(join(userFolder, 'n8n.log'), 'utf8');
	const data = savedByN8n();
	expect(log).toContain('finished with error');
	expect(data).toContain('Account suspended');
	expect(data).toContain('HTTP 401');
	for (const key of [publicKey, secretKey]) {
		expect(log).not.toContain(key);
		expect(data).not.toContain(key);
	}
});
