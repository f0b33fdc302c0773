import type { SavedWorkflow } from '../../scripts/lib/n8n-client.ts';
import { pollEvery } from '../../scripts/lib/workflow-json.ts';
import { ExecutionLog } from '../../soak/executions.ts';
import { checkStored } from '../../soak/account.ts';
import { historyOf } from '../../soak/history.ts';
import { tablesOf } from '../../soak/service.ts';
import { kindOf, type Kind } from '../../soak/kinds.ts';
import { NO_PROMISES, type Tables } from '../histories/evidence.ts';
import { checkEvents } from '../histories/events.ts';
import { chain, node, typeOf } from '../n8n/test-n8n.ts';
import type { Cluster } from './cluster.ts';
import { summary } from './setup/summary.ts';
import { until } from './until.ts';

const list = '/single-send/list';
const completed = 3;
const EVENTS = ['singleSendCreated', 'singleSendStatusChanged', 'singleSendDeleted'];

/** Campaigns that move on from status to status, and a trigger that is to tell each move once. */
export class Campaigns {
	private readonly cluster: Cluster;
	private readonly workflow: SavedWorkflow;
	private readonly log: ExecutionLog;
	private readonly first: Tables;
	/** The status of each campaign. */
	private readonly statuses: Map<string, number>;
	private changes = 0;

	private constructor(cluster: Cluster, workflow: SavedWorkflow, first: Tables) {
		this.cluster = cluster;
		this.workflow = workflow;
		this.log = new ExecutionLog(workflow, 'Watch');
		this.first = first;
		this.statuses = new Map(first.singleSends.map(({ utr, status }) => [utr, status]));
	}

	/** Adds campaigns, and waits until the trigger has seen them for the first time. */
	static async watch(cluster: Cluster, count: number): Promise<Campaigns> {
		const { sandbox, n8n } = cluster;
		// Statuses change when the test says so.
		await sandbox.configure({ tickMs: 0 });
		for (let n = 0; n < count; n++) {
			await sandbox.add('singleSends', { single_send_name: `Campaign ${n}` });
		}
		const watch = node('Watch', typeOf('emailMarketingTrigger'), {
			pollTimes: pollEvery(1),
			events: EVENTS,
		});
		const workflow = await n8n.activate(
			chain('Campaigns', [watch, node('End', 'n8n-nodes-base.noOp')]),
		);
		const campaigns = new Campaigns(cluster, workflow, await tablesOf(sandbox));
		await until('the first look', async () => {
			const query = `SELECT cursor FROM poller_state WHERE "workflowId" = '${workflow.id}'`;
			return (await cluster.postgres.rows(query)).length > 0;
		});
		await campaigns.looks(2);
		return campaigns;
	}

	/** Moves so many campaigns one status on, taking turns. */
	async move(count: number): Promise<void> {
		for (let n = 0; n < count; n++) {
			const moving = [...this.statuses].filter(([, status]) => status < completed);
			const [utr, before] = moving[this.changes % Math.max(moving.length, 1)] ?? [];
			if (utr === undefined || before === undefined) throw new Error('All campaigns have gone out');
			await this.cluster.sandbox.change('singleSends', utr, { status: before + 1 });
			this.statuses.set(utr, before + 1);
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
		const { first, log, cluster } = this;
		const ended = await log.read(cluster.n8n.client);
		const polls = { watch: { ended, open: [] } };
		const [start, end] = [0, Date.now()];
		const entries = historyOf({
			...{ start, end, first, polls, journal: [], syncs: { ended: [], open: [] } },
			...{ isAlone: false, ranOn: () => ({ process: 'n8n' }) },
		});
		// With durable cursors, nothing excuses a loss.
		const triggers = [{ workflow: 'watch', events: EVENTS, gaps: [] }];
		const promises = { ...NO_PROMISES, triggers };
		const last = await tablesOf(cluster.sandbox);
		const findings = checkEvents({ entries, first, last, promises, start, end });
		const events = ended.reduce((sum, { items = [] }) => sum + items.length, 0);
		const failedPolls = ended.filter(({ failed }) => failed).length;
		return { findings: [...findings, ...checkStored(entries)], events, failedPolls };
	}

	/** Holds all events against all changes, when everything has been told and nothing more comes. */
	async reconcile(): Promise<void> {
		await until('every change to be told', async () => {
			const { findings } = await this.check();
			return findings.every((finding) => kindOf(finding) !== 'lost');
		}).catch(() => undefined);
		// Whatever comes twice would come with the next looks.
		await this.looks(3);
		await this.cluster.n8n.client.deactivate(this.workflow.id);
		const { findings, events, failedPolls } = await this.check();
		const violations = await this.cluster.sandbox.violations();
		const count = (kind: Kind) => findings.filter((finding) => kindOf(finding) === kind).length;
		summary().reconciled(expect.getState().currentTestName ?? '', {
			changes: this.changes,
			events,
			lost: count('lost'),
			doubled: count('doubled'),
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
