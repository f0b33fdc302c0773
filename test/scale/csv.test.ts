import { createHash } from 'node:crypto';
import { chain, node, typeOf } from '../n8n/test-n8n.ts';
import { reconcile } from './account.ts';
import { ProductionWorkflow, webhook } from './production.ts';
import { sharedCluster } from './setup/shared.ts';
import { TYPE, emptySandbox, people } from './sync.ts';

jest.setTimeout(1_800_000);

const cluster = sharedCluster();
const { sandbox } = cluster;

test('a CSV file that main receives is imported by a worker, which shares no disk with it', async () => {
	await emptySandbox(sandbox);
	const items = people(0, 20_000);
	const rows = items.map(
		(item) => `${String(item['E-Mail'])},${String(item['First Name'])},Germany`,
	);
	const csv = ['email,first_name,country', ...rows].join('\n');
	const workflow = await ProductionWorkflow.activate(
		cluster.n8n,
		chain('Upload', [
			webhook('Upload'),
			node('Import', typeOf('emailMarketing'), {
				resource: 'contact',
				operation: 'importCsv',
				contactTypeId: { __rl: true, mode: 'id', value: String(TYPE) },
				binaryPropertyName: 'data',
			}),
		]),
	);
	const form = new FormData();
	form.set('data', new Blob([csv], { type: 'text/csv' }), 'people.csv');
	const run = await workflow.run(form);
	expect(run.error).toBeUndefined();
	expect(run.items).toEqual([expect.objectContaining({ imported: true })]);
	expect(cluster.workers).toContain(await cluster.workerOf(run.executionId));

	const sent = (await sandbox.journal()).filter(({ method }) => method !== 'GET');
	expect(sent.map(({ path, body }) => ({ path, file: body?.file }))).toEqual([
		{
			path: '/contacts/upload-csv',
			file: {
				filename: 'people.csv',
				contentType: 'text/csv',
				size: Buffer.byteLength(csv),
				sha256: createHash('sha256').update(csv).digest('hex'),
			},
		},
	]);
	await reconcile(sandbox, items);

	// It went through the database, and not over a disk.
	const [stored] = await cluster.postgres.rows<{ size: number }>(
		`SELECT "fileSize" AS size FROM binary_data WHERE "fileName" = 'people.csv'`,
	);
	expect(stored).toEqual({ size: Buffer.byteLength(csv) });
	const files = await Promise.all([
		cluster.mainFiles(),
		...cluster.workers.map((worker) => worker.files()),
	]);
	expect(files.flat().filter((path) => /\.n8n\/(binaryData|storage)\//.test(path))).toEqual([]);
});
