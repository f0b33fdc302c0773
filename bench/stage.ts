// What the works are measured on: an n8n and sandboxes in processes of their own, and a server that hands
// n8n the items and takes from its hooks (hooks.cjs) what an execution took.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INode } from 'n8n-workflow';
import { generate } from 'selfsigned';
import type { BackgroundProcess } from '../scripts/lib/background-process.ts';
import { credentialName, credentialType, sandboxCredential } from '../scripts/lib/demo-data.ts';
import { N8nClient } from '../scripts/lib/n8n-client.ts';
import { ensureN8n } from '../scripts/lib/n8n-install.ts';
import { installedNodes, startN8n } from '../scripts/lib/n8n-process.ts';
import { installPackage } from '../scripts/lib/package-tarball.ts';
import { freePort } from '../scripts/lib/ports.ts';
import { SandboxClient } from '../scripts/lib/sandbox-client.ts';
import { startSandbox } from '../scripts/lib/sandbox-process.ts';
import { chain, node, withCredentials } from '../scripts/lib/workflow-json.ts';
import { httpRequestNode } from './httpRequestNode.ts';
import { atDistance, type Distance } from './network.ts';

/** What one run took. */
export interface Figures {
	/** The execution time of the nodes that are compared, or of the loop; without the source of the items. */
	ms: number;
	/** CPU time of n8n for the whole execution, with the source of the items; a busy machine disturbs it least. */
	cpuMs?: number;
	/** n8n's resident memory before the execution, when the garbage had been collected. */
	memoryBeforeMb?: number;
	/** Its peak during the execution. */
	memoryMb?: number;
	/** The peak without what n8n took before its first execution. */
	addedMemoryMb?: number;
	/** What the service was asked. */
	requests?: number;
	/** Contacts that the service has in the end, where this differs. */
	created?: number;
	/** Requests that were refused later than a second after the first request. */
	refusedLater?: number;
	/** Bytes of state or of a file. */
	bytes?: number;
}

/** What the hooks report of an execution. */
interface Done {
	name: string;
	cpuMs: number;
	memoryBeforeMb: number;
	memoryMb: number;
	nodes: Record<string, { ms: number; items: number }>;
	error?: string;
}

/** A sandbox with the credential that leads to it. */
export interface Service extends SandboxClient {
	credentialId: string;
	/** Where nodes and loops reach it; its controls are never at a distance. */
	serviceUrl: string;
}

/** Calls a webhook; n8n knows one only some time after the activation of its workflow. */
async function start(webhook: string): Promise<void> {
	for (const deadline = Date.now() + 10_000; ; await sleep(100)) {
		const { ok, status } = await fetch(webhook);
		if (ok) return;
		if (Date.now() > deadline) throw new Error(`n8n answered ${webhook} with ${status}`);
	}
}

const certificateFile = 'certificate.pem';
const source = { webhook: 'Webhook', read: 'Read' };

export class Stage {
	readonly installation: string;
	/** Where the package is installed for n8n. */
	readonly packageFolder: string;
	private readonly folder: string;
	private readonly running: BackgroundProcess[] = [];
	private readonly server: Server;
	private readonly services = new Map<string, Service>();
	private client: N8nClient | undefined;
	private items = '[]';
	/** Resident memory of n8n before its first execution. */
	private ownMemoryMb: number | undefined;
	private finished: (done: Done) => void = () => undefined;
	private readonly profiles: string | undefined;
	/** Of all services that speak TLS; n8n trusts it. */
	private readonly tls: { key: string; cert: string };
	private readonly distances: Array<() => Promise<unknown>> = [];

	private constructor(options: {
		installation: string;
		folder: string;
		profiles: string | undefined;
		tls: { key: string; cert: string };
	}) {
		const { installation, folder, profiles, tls } = options;
		this.installation = installation;
		this.folder = folder;
		this.profiles = profiles;
		this.tls = tls;
		this.packageFolder = join(installedNodes(folder), 'node_modules', 'n8n-nodes-email-marketing');
		this.server = createServer((request, response) => {
			void this.answer(request).then((body) =>
				response.writeHead(200, { 'content-type': 'application/json' }).end(body),
			);
		});
	}

	/** @param profiles where n8n writes a CPU profile of each execution */
	static async open(tarball: string, profiles?: string): Promise<Stage> {
		const installation = await ensureN8n(console.error);
		const folder = await mkdtemp(join(tmpdir(), 'email-marketing-bench-'));
		const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
			extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
		});
		await writeFile(join(folder, certificateFile), cert);
		const stage = new Stage({ installation, folder, profiles, tls: { key, cert } });
		await installPackage(folder, tarball, console.error);
		stage.server.listen(0, '127.0.0.1');
		await once(stage.server, 'listening');
		return stage;
	}

	async close(): Promise<void> {
		this.server.close();
		await Promise.all(this.distances.map((stop) => stop()));
		await Promise.all(this.running.map((process_) => process_.stop()));
		await rm(this.folder, { recursive: true, force: true });
	}

	private get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	private async answer(request: IncomingMessage): Promise<string> {
		if (request.url !== '/done') return this.items;
		this.finished(JSON.parse(await text(request)) as Done);
		return '{}';
	}

	private async n8n(): Promise<N8nClient> {
		if (this.client) return this.client;
		console.error('Starting n8n');
		const n8n = await startN8n({
			installation: this.installation,
			userFolder: this.folder,
			port: await freePort(),
			env: {
				N8N_CUSTOM_EXTENSIONS: join(import.meta.dirname, 'naive'),
				EXTERNAL_HOOK_FILES: join(import.meta.dirname, 'hooks.cjs'),
				BENCH_URL: this.url,
				NODE_EXTRA_CA_CERTS: join(this.folder, certificateFile),
				...(this.profiles !== undefined && { BENCH_PROFILES: this.profiles }),
			},
		});
		this.running.push(n8n);
		this.client = new N8nClient(n8n.url);
		await this.client.logIn({ email: 'bench@example.com', password: 'Bench-password-1' });
		return this.client;
	}

	/** The sandbox of this name, started when it is first asked for. */
	async service(name = 'main'): Promise<Service> {
		const known = this.services.get(name);
		if (known) return known;
		const sandbox = await this.startSandbox(name);
		const service = await this.withCredential(name, sandbox.url, sandbox.url);
		this.services.set(name, service);
		return service;
	}

	/** The main sandbox, as if it were so far away. */
	async distantService(
		name: string,
		distance: Omit<Distance, 'tls'>,
		isTls = false,
	): Promise<Service> {
		const { url } = await this.service();
		const tls = isTls ? { tls: this.tls } : {};
		const distant = await atDistance(url, { ...distance, ...tls });
		this.distances.push(distant.stop);
		return await this.withCredential(name, url, distant.url);
	}

	/** The certificate of the services that speak TLS. */
	get certificate(): string {
		return this.tls.cert;
	}

	private async startSandbox(name: string): Promise<{ url: string }> {
		const { url, ...process_ } = await startSandbox({
			port: await freePort(),
			args: ['--seed', 'empty', '--tick', '0'],
			logFile: join(this.folder, `sandbox-${name}.log`),
		});
		this.running.push(process_);
		return { url };
	}

	private async withCredential(name: string, url: string, serviceUrl: string): Promise<Service> {
		const client = await this.n8n();
		const credential = sandboxCredential(serviceUrl);
		const { id } = await client.createCredential(name, credentialType, credential);
		return Object.assign(new SandboxClient(url), { credentialId: id, serviceUrl });
	}

	/**
	 * Puts nodes one after the other behind a webhook and a node that reads the items.
	 *
	 * @returns runs them with these items, and fails when the last one gives another number of them than expected
	 */
	async workflow(
		name: string,
		service: Service,
		nodes: INode[],
	): Promise<(items: object[], expected?: number) => Promise<Figures>> {
		const client = await this.n8n();
		const parameters = { path: name };
		const steps = [
			node(source.webhook, 'n8n-nodes-base.webhook', parameters, {
				typeVersion: 2,
				webhookId: name,
			}),
			httpRequestNode(source.read, { url: this.url }),
			...nodes,
		];
		const saved = await client.createWorkflow(
			withCredentials(
				{
					...chain(name, steps),
					settings: {
						executionOrder: 'v1',
						saveDataSuccessExecution: 'none',
						saveDataErrorExecution: 'none',
					},
				},
				{ [credentialType]: { id: service.credentialId, name: credentialName } },
			),
		);
		await client.activate(saved);
		return async (items, expected) => {
			this.items = JSON.stringify(items);
			await service.control('DELETE', '/journal');
			const ended = new Promise<Done>((resolve) => (this.finished = resolve));
			await start(`${client.url}/webhook/${name}`);
			const { nodes: took, error, name: _, ...measured } = await ended;
			const last = nodes.at(-1)?.name ?? '';
			const given = took[last]?.items;
			if (error !== undefined || given !== (expected ?? given)) {
				throw new Error(`${name}: ${error ?? `${given} items, not ${expected}`}`);
			}
			return {
				ms: nodes.reduce((sum, { name: one }) => sum + (took[one]?.ms ?? 0), 0),
				...measured,
				addedMemoryMb: measured.memoryMb - (this.ownMemoryMb ??= measured.memoryBeforeMb),
				requests: (await service.journal()).length,
			};
		};
	}
}
