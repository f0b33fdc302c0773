import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { baselinesOf, type Baseline } from './operations';
import { keys, runNode, type Outcome } from '../engine/engine';
import { automation, NOW, plant } from '../engine/records';
import { once } from '../engine/sandbox';
import { basePath, Recorder, type Raw, type Received, type Reply } from './recorder';

/** A run in which everything was in order: what was sent, and what the service answered. */
export interface Golden extends Baseline {
	sent: Received[];
	/** Answers by `METHOD path`. */
	answers: Map<string, string>;
	outcome: Outcome;
}

export const callOf = ({ method, url }: Pick<Raw, 'method' | 'url'>): string =>
	`${method} ${url.split('?')[0]?.slice(basePath.length)}`;

/** The details of a record are those of the record that is asked for, whichever it is; an automation is a draft. */
export function asRequested(reply: Reply, { url }: Raw): Reply {
	const { pathname, searchParams } = new URL(url, 'http://service');
	const [asked] = searchParams;
	if (!pathname.endsWith('/details') || asked === undefined) return reply;
	const [name, key] = asked;
	const response = JSON.parse(reply.body.toString()) as { message?: unknown };
	const { message } = response;
	const records = typeof message === 'object' && message !== null ? Object.values(message) : [];
	for (const record of (records as unknown[]).flat()) {
		if (typeof record !== 'object' || record === null) continue;
		Object.assign(record, { [name === 'utr' ? 'utr' : 'id']: key });
		if (pathname.endsWith('/automations/details')) Object.assign(record, { status: 0 });
	}
	return { ...reply, body: JSON.stringify(response) };
}

/** A recorder that answers as the sandbox did, or as the test says. */
export class Service {
	readonly recorder = new Recorder();
	/** The runs from which all cases are made. */
	golden: Golden[] = [];
	/** The last answer of the sandbox to each call. */
	readonly usual = new Map<string, string>();

	/** Runs every operation once against the sandbox, and keeps both sides. */
	async learn(): Promise<void> {
		const sandbox = await startSandbox({ seed: 'empty', settings: { tickMs: 0 } });
		await this.recorder.start();
		try {
			reset(sandbox);
			for (const baseline of baselinesOf(sandbox.state)) {
				this.golden.push(await this.learnOne(sandbox, baseline));
			}
		} finally {
			await sandbox.close();
		}
	}

	private async learnOne(sandbox: Sandbox, baseline: Baseline): Promise<Golden> {
		reset(sandbox);
		if (baseline.parameters.operation === 'setLive') {
			sandbox.state.tables.automations.put({ ...automation, status: 0 });
		}
		const answers = new Map<string, string>();
		this.recorder.answer = async (raw) => {
			const reply = await forward(sandbox, raw);
			answers.set(callOf(raw), reply.body.toString());
			this.usual.set(callOf(raw), reply.body.toString());
			return reply;
		};
		const outcome = await this.run(baseline.parameters, [baseline.item]);
		expect([baseline.name, outcome.error?.message]).toEqual([baseline.name, undefined]);
		expect(sandbox.state.journal.violations).toEqual([]);
		return { ...baseline, answers, outcome, sent: this.recorder.take() };
	}

	/** Answers from now on as in this run; what it did not ask, as in any other. */
	answerAs(
		{ answers }: Golden,
		change: (call: string, reply: Reply, raw: Raw) => Reply = (_, reply) => reply,
	): void {
		this.recorder.answer = (raw) => {
			const call = callOf(raw);
			const body = answers.get(call) ?? this.usual.get(call) ?? '{"status":"failed","errors":"?"}';
			return change(call, { body }, raw);
		};
	}

	async run(
		parameters: IDataObject,
		items: INodeExecutionData[],
		node?: Partial<INode>,
	): Promise<Outcome> {
		const { options } = parameters;
		const quick = typeof options === 'object' ? { options: { ...once, ...options } } : {};
		const { baseUrl } = this.recorder;
		const execution = { baseUrl, parameters: { ...parameters, ...quick }, items, node };
		return await runNode(execution).catch(async (error: Error) => {
			// Before a run, n8n gives its check of an id's form only a moment, which a busy machine may take for itself.
			if (!/Regular expression execution timed out/.test(error.message)) throw error;
			return await this.run(parameters, items, node);
		});
	}

	async close(): Promise<void> {
		await this.recorder.close();
	}
}

function reset({ state }: Sandbox): void {
	state.reset('empty', []);
	state.clock.freeze(true);
	state.clock.set(NOW);
	plant(state.tables);
}

async function forward(sandbox: Sandbox, { method, url, headers, body }: Raw): Promise<Reply> {
	const contentType = headers[headers.findIndex((name) => /^content-type$/i.test(name)) + 1];
	const answer = await fetch(`${sandbox.url}${url}`, {
		method,
		headers: {
			PublicKey: keys.publicKey,
			SecretKey: keys.secretKey,
			...(body.length > 0 && contentType !== undefined && { 'content-type': contentType }),
		},
		...(body.length > 0 && { body: new Uint8Array(body) }),
	});
	return {
		status: answer.status,
		contentType: answer.headers.get('content-type') ?? 'application/json',
		body: Buffer.from(await answer.arrayBuffer()),
	};
}

/** One recorder per test file, for answers of the test's own. */
export function startRecorder(): Recorder {
	const recorder = new Recorder();
	beforeAll(async () => await recorder.start());
	afterAll(async () => await recorder.close());
	return recorder;
}

/** On a machine that is busy with much else; on an idle one it takes two seconds. */
const learnMs = 1_800_000;

/** One service per test file. */
export function useService(): Service {
	const service = new Service();
	beforeAll(async () => await service.learn(), learnMs);
	afterAll(async () => await service.close());
	return service;
}
