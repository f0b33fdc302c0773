import { credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import { exampleFiles, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import {
	type DedicatedN8n,
	n8n,
	resetSandbox,
	sandbox,
	startDedicatedN8n,
	typeOf,
} from './harness.ts';
import { readContext } from './setup/context.ts';

jest.setTimeout(1_800_000);

interface MigrationReport {
	report: { workflowResults: Array<{ ruleId: string; nbAffectedWorkflows: number }> };
}

interface RuleReport {
	affectedWorkflows: Array<{ id: string }>;
}

const ask = async <T>(path: string) =>
	await n8n.client.request<T>('GET', `/breaking-changes${path}`);

itNeeds('reportAbout3', 'no example has anything that n8n 3 removes or changes', async () => {
	const examples = new Map<string, string>();
	for (const file of exampleFiles) examples.set((await n8n.save(shipped(file))).id, file);
	await n8n.client.request('POST', '/breaking-changes/report/refresh?version=v3', {});
	const { report } = await ask<MigrationReport>('/report?version=v3');
	expect(report.workflowResults).toBeInstanceOf(Array);
	const affected: string[] = [];
	for (const { ruleId } of report.workflowResults) {
		const { affectedWorkflows } = await ask<RuleReport>(`/report/${ruleId}`);
		for (const { id } of affectedWorkflows) {
			if (examples.has(id)) affected.push(`${ruleId}: ${examples.get(id)}`);
		}
	}
	expect(affected).toEqual([]);
});

describe("with n8n 3's defaults", () => {
	let own: DedicatedN8n | undefined;
	afterAll(async () => await own?.stop());

	itNeeds(
		'ssrfProtection',
		'a package installed by hand loads, and blocked addresses are named',
		async () => {
			await resetSandbox();
			own = await startDedicatedN8n(readContext().defaultsOf3);
			expect(await own.client.nodeTypes()).toContain(typeOf('emailMarketing'));

			const list = { resource: 'contactType', operation: 'getAll' };
			const allowed = await own.runNode(list);
			expect(allowed.error).toBeNull();
			// n8n may ask this address, and not its neighbor.
			const url = sandbox.url.replace('127.0.0.1', '127.0.0.2');
			const credential = await own.client.createCredential(
				'Blocked',
				credentialType,
				sandboxCredential(url),
			);
			const { error } = await own.runNode(list, [{}], {
				credentials: { [credentialType]: { id: credential.id, name: credential.name } },
			});
			expect(error).toMatchObject({
				message: 'The request was blocked because it resolves to a restricted IP address',
				description: expect.stringContaining('ask your n8n administrator'),
			});
		},
	);
});
