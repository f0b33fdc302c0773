// What a sync of many contacts costs in a real n8n with a heap of 1 GB: 1 % of the items are new, 1 %
// changed, everything else is there already. Run: npm run bench -- [counts…]
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { credentialName, credentialType, sandboxCredential } from '../scripts/lib/demo-data.ts';
import { N8nClient } from '../scripts/lib/n8n-client.ts';
import { ensureN8n } from '../scripts/lib/n8n-install.ts';
import { startN8n } from '../scripts/lib/n8n-process.ts';
import { installPackage, packPackage } from '../scripts/lib/package-tarball.ts';
import { freePort } from '../scripts/lib/ports.ts';
import { SandboxClient } from '../scripts/lib/sandbox-client.ts';
import { startSandbox } from '../scripts/lib/sandbox-process.ts';

const TYPE = 21;
const counts = process.argv.slice(2).map(Number);
if (counts.length === 0) counts.push(1_000, 10_000, 100_000);

const person = (n: number) => ({
	email: `person${n}@example.com`,
	first_name: `Ann ${n}`,
	last_name: 'Example',
	city: 'Köln',
	postal_code: String(10_000 + (n % 80_000)),
});

/** The items as another system gives them: the first 1 % differ, the last 1 % are new. */
const itemsOf = (count: number) =>
	Array.from({ length: count }, (_, n) => {
		const { email, first_name, last_name, city, postal_code } = person(n);
		return {
			'E-Mail': email,
			'First Name': first_name,
			Surname: last_name,
			City: n < count / 100 ? 'Bonn' : city,
			Zip: Number(postal_code),
			Country: 'DE',
		};
	});

const folder = await mkdtemp(join(tmpdir(), 'bench-sync-'));
let body = '[]';
const source = createServer((_request, response) =>
	response.writeHead(200, { 'content-type': 'application/json' }).end(body),
).listen(0, '127.0.0.1');
const sourceUrl = () => `http://127.0.0.1:${(source.address() as AddressInfo).port}`;

const installation = await ensureN8n(console.error);
await installPackage(folder, await packPackage(console.error), console.error);
const service = await startSandbox({
	port: await freePort(),
	args: ['--seed', 'empty'],
	logFile: join(folder, 'sandbox.log'),
});
const sandbox = new SandboxClient(service.url);
const n8n = await startN8n({
	installation,
	userFolder: folder,
	port: await freePort(),
	env: { N8N_METRICS: 'true', NODE_OPTIONS: '--max-old-space-size=1024' },
});
const client = new N8nClient(n8n.url);

const node = (name: string, type: string, typeVersion: number, parameters: object): INode => ({
	id: name,
	name,
	type,
	typeVersion,
	position: [0, 0],
	parameters: parameters as INode['parameters'],
});

async function createWorkflow(report: string): Promise<string> {
	const credential = (await client.credentials())[0] ?? {
		...(await client.createCredential(
			credentialName,
			credentialType,
			sandboxCredential(service.url),
		)),
	};
	const path = `bench-${report}`;
	const nodes = [
		{
			...node('Webhook', 'n8n-nodes-base.webhook', 2, { path, responseMode: 'lastNode' }),
			webhookId: path,
		},
		node('Read', 'n8n-nodes-base.httpRequest', 4.2, { url: sourceUrl() }),
		{
			...node('Sync', 'n8n-nodes-email-marketing.emailMarketing', 1, {
				resource: 'contact',
				operation: 'sync',
				contactTypeId: { __rl: true, mode: 'id', value: String(TYPE) },
				fields: { mappingMode: 'autoMapInputData', value: null },
				options: { report },
			}),
			credentials: { [credentialType]: { id: credential.id, name: credentialName } },
		},
	];
	const link = (to: string) => ({ main: [[{ node: to, type: 'main' as const, index: 0 }]] });
	const saved = await client.createWorkflow({
		name: path,
		nodes,
		connections: { Webhook: link('Read'), Read: link('Sync') },
		settings: { saveDataSuccessExecution: 'none' },
	});
	await client.activate(saved);
	return `${n8n.url}/webhook/${path}`;
}

async function memory(): Promise<number> {
	const text = await (await fetch(`${n8n.url}/metrics`)).text();
	return Number(/^n8n_process_resident_memory_bytes (\S+)/m.exec(text)?.[1] ?? NaN) / 2 ** 20;
}

async function measure(url: string): Promise<{ seconds: number; peak: number; text: string }> {
	const started = performance.now();
	let peak = await memory();
	const answer = fetch(url).then(async (response) => ({ text: await response.text() }));
	let done = false;
	void answer.finally(() => (done = true));
	while (!done) {
		await sleep(100);
		peak = Math.max(peak, await memory());
	}
	const { text } = await answer;
	return { seconds: (performance.now() - started) / 1000, peak, text };
}

try {
	await client.logIn({ email: 'bench@example.com', password: 'Bench-password-1' });
	const urls = { summary: await createWorkflow('summary'), all: await createWorkflow('all') };
	console.log('items    run                  seconds  requests  peak MB');
	for (const count of counts) {
		await sandbox.reset();
		await sandbox.add('contactTypes', { id: TYPE, name: 'Customers' });
		const there = Array.from({ length: count - count / 100 }, (_, n) => person(n));
		for (let start = 0; start < there.length; start += 20_000) {
			const contacts = there.slice(start, start + 20_000);
			await sandbox.control('POST', '/seed', {
				contacts: contacts.map((one) => ({ contact_type_id: TYPE, country: 85, ...one })),
			});
		}
		body = JSON.stringify(itemsOf(count));
		let seen = 0;
		for (const [name, url] of [
			['first, summary', urls.summary],
			['second, summary', urls.summary],
			['second, all items', urls.all],
		] as const) {
			const { seconds, peak, text } = await measure(url);
			const requests = (await sandbox.journal()).length - seen;
			seen += requests;
			console.log(
				`${String(count).padEnd(8)} ${name.padEnd(20)} ${seconds.toFixed(1).padStart(7)} ${String(requests).padStart(9)} ${peak.toFixed(0).padStart(8)}`,
			);
			if (!/"(action|created)"/.test(text)) throw new Error(text.slice(0, 500));
		}
	}
} finally {
	source.close();
	await n8n.stop();
	await service.stop();
	await rm(folder, { recursive: true, force: true });
}
