import { exampleFiles, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { n8n } from './harness.ts';

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
