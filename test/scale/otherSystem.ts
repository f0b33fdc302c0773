import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';
import { removal } from '../../scripts/lib/workflow-json.ts';
import { chain, node } from '../n8n/test-n8n.ts';
import type { Cluster } from './cluster.ts';
import { ProductionWorkflow } from './production.ts';
import { syncNode } from './sync.ts';

/** Another system, whose people are synced. */
export class OtherSystem {
	people: IDataObject[] = [];
	private readonly server: Server;

	private constructor(server: Server) {
		this.server = server;
		server.on('request', (_request, response) => {
			response
				.writeHead(200, { 'content-type': 'application/json' })
				.end(JSON.stringify(this.people));
		});
	}

	static async open(): Promise<OtherSystem> {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		return new OtherSystem(server);
	}

	/** A sync of all that it has, every few seconds, which deletes whom it no longer has. */
	async activateSync(cluster: Cluster): Promise<ProductionWorkflow> {
		const every = { field: 'seconds', secondsInterval: 5 };
		const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
		return await ProductionWorkflow.activate(
			cluster.n8n,
			chain('Scheduled sync', [
				node(
					'Every 5 seconds',
					'n8n-nodes-base.scheduleTrigger',
					{ rule: { interval: [every] } },
					{ typeVersion: 1.2 },
				),
				node('Their people', 'n8n-nodes-base.httpRequest', { url }, { typeVersion: 4.2 }),
				syncNode({
					missing: 'delete',
					options: removal({ onlyAddedBySync: false, removeAfter: 1 }),
				}),
			]),
		);
	}

	close(): void {
		this.server.close();
	}
}
