import type { SavedWorkflow } from '../../scripts/lib/n8n-client.ts';
import { pollEvery } from '../../scripts/lib/workflow-json.ts';
import { ExecutionLog } from '../../soak/executions.ts';
import { observationsOf, withoutEvents } from '../../soak/reconcile/observations.ts';
import { checkTimelines } from '../../soak/reconcile/timelines.ts';
import type { Timeline } from '../../soak/service.ts';
import { chain, node, typeOf } from '../n8n/test-n8n.ts';
import type { Cluster } from './cluster.ts';
import { summary } from './setup/summary.ts';
import { until } from './until.ts';

const list = '/single-send/list';
const completed = 3;

/** Campaigns that move on from status to status, and a trigger that is to tell each move once. */
export class Campaigns {
	private readonly cluster: Cluster;
	private readonly workflow: SavedWorkflow;
	private readonly log: ExecutionLog;
	private readonly timelines = new Map<string, Timeline>();
	private changes = 0;

	private constructor(cluster: Cluster, workflow: SavedWorkflow, timelines: Timeline[]) {
		this.cluster = cluster;
		this.workflow = workflow;
		this.log = new ExecutionLog(workflow, 'Watch');
		for (const timeline of timelines) this.timelines.set(timeline.utr, timeline);
	}

	/** Adds campaigns, and waits until the trigger has seen them for the first time. */
	static async watch(cluster: Cluster, count: number): Promise<Campaigns> {
		const { sandbox, n8n } = cluster;
		// Statuses change when the test says so.
		await sandbox.configure({ tickMs: 0 });
		const timelines: Timeline[] = [];
		for (let n = 0; n < count; n++) {
			const { utr } = await sandbox.add('singleSends', { single_send_name: `Campaign ${n}` });
			timelines.push({ utr, first: 0, status: 0, changes: [] });
		}
		const watch = node('Watch', typeOf('emailMarketingTrigger'), {
			pollTimes: pollEvery(1),
			events: ['singleSendCreated', 'singleSendStatusChanged', 'singleSendDeleted'],
		});
		const workflow = await n8n.activate(
			chain('Campaigns', [watch, node('End', 'n8n-nodes-base.noOp')]),
		);
		const campaigns = new Campaigns(cluster, workflow, timelines);
		await until('the first look', async () => {
			const query = `SELECT cursor FROM poller_state WHERE "workflowId" = '${workflow.id}'`;
			return (await cluster.postgres.rows(query)).length > 0;
		});
		await campaigns.looks(2);
		return campaigns;
	}

	private get unfinished(): Timeline[] {
		return [...this.timelines.values()].filter(({ status = completed }) => status < completed);
	}

	/** Moves so many campaigns one status on, taking turns. */
	async move(count: number): Promise<void> {
		for (let n = 0; n < count; n++) {
			const timeline = this.unfinished[this.changes % Math.max(this.unfinished.length, 1)];
			if (timeline === undefined) throw new Error('All campaigns have gone out');
			const status = (timeline.status ?? 0) + 1;
			await this.cluster.sandbox.change('singleSends', timeline.utr, { status });
			timeline.status = status;
			timeline.changes.push(Date.now());
			this.changes += 1;
		}
	}

	/** Waits until the trigger has asked for the campaigns so many times more. */
	async looks(count: number): Promise<void> {
		const { sandbox } = this.cluster;
		const asked = async () => (await sandbox.journal()).filter(({ path }) => path === list).length;
		const before = await asked();
		await until(`${count} polls`, async () => (await asked()) >= before + count);
	}

	/** What does not fit between the events that were told and the statuses that the campaigns went through. */
	private async check() {
		const executions = await this.log.read(this.cluster.n8n.client);
		const observations = observationsOf(executions);
		// With durable cursors, nothing excuses a loss.
		const { findings, events } = checkTimelines(observations, this.timelines, 'singleSend', []);
		const failedPolls = executions.filter(({ failed }) => failed).length;
		return { findings: [...findings, ...withoutEvents(executions)], events, failedPolls };
	}

	/** Holds all events against all changes, when everything has been told and nothing more comes. */
	async reconcile(): Promise<void> {
		await until('every change to be told', async () => {
			const { findings } = await this.check();
			return findings.every(({ kind }) => kind !== 'lost');
		}).catch(() => undefined);
		// Whatever comes twice would come with the next looks.
		await this.looks(3);
		await this.cluster.n8n.client.deactivate(this.workflow.id);
		const { findings, events, failedPolls } = await this.check();
		const violations = await this.cluster.sandbox.violations();
		summary().reconciled(expect.getState().currentTestName ?? '', {
			changes: this.changes,
			events,
			lost: findings.filter(({ kind }) => kind === 'lost').length,
			doubled: findings.filter(({ kind }) => kind === 'doubled').length,
			'failed polls': failedPolls,
			violations: violations.length,
		});
		expect({ findings, violations }).toEqual({ findings: [], violations: [] });
	}

	/** The IDs of the executions that told something. */
	async executionIds(): Promise<string[]> {
		const executions = await this.log.read(this.cluster.n8n.client);
		return executions.filter(({ failed }) => !failed).map(({ id }) => String(id));
	}
}
