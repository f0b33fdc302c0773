import { chain, node, type TestN8n } from '../n8n/test-n8n.ts';
import { Gate } from './gate.ts';
import { ProductionWorkflow, webhook } from './production.ts';
import { until } from './until.ts';
import type { Worker } from './worker.ts';

/** Executions that keep workers busy until they are let go. */
export class Holds {
	private readonly gate: Gate;
	private readonly workflow: ProductionWorkflow;

	private constructor(gate: Gate, workflow: ProductionWorkflow) {
		this.gate = gate;
		this.workflow = workflow;
	}

	static async create(n8n: TestN8n): Promise<Holds> {
		const gate = await Gate.open();
		const start = webhook('Start');
		const wait = node(
			'Wait at the gate',
			'n8n-nodes-base.httpRequest',
			{ url: `=${gate.url}/?id={{ $execution.id }}` },
			{ typeVersion: 4.2 },
		);
		const workflow = await ProductionWorkflow.activate(n8n, chain('Hold', [start, wait]));
		return new Holds(gate, workflow);
	}

	/** Fills every place for an execution on all workers, then frees those of one worker during `work`. */
	async onlyOn<T>(
		worker: Worker,
		workers: Worker[],
		concurrency: number,
		work: () => Promise<T>,
	): Promise<T> {
		return await this.whileBusy(workers, concurrency, async () => {
			for (const id of this.gate.ids) if (await worker.hasBegun(id)) this.gate.release(id);
			return await work();
		});
	}

	/** Fills every place for an execution on all workers during `work`, then frees them all. */
	async whileBusy<T>(workers: Worker[], concurrency: number, work: () => Promise<T>): Promise<T> {
		const places = workers.filter(({ isUp }) => isUp).length * concurrency;
		await Promise.all(Array.from({ length: places }, () => this.workflow.call({})));
		await until('every worker to be busy', async () => this.gate.ids.length === places);
		try {
			return await work();
		} finally {
			for (const id of this.gate.ids) this.gate.release(id);
		}
	}

	close(): void {
		this.gate.close();
	}
}
