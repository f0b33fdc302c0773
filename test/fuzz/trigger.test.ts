import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

// First: it sees which endpoints there are.
import './operations';
import { LIST_EVENTS } from '../../nodes/EmailMarketing/trigger/sources';
import type { EventName } from '../../nodes/EmailMarketing/trigger/sources';
import type { Sandbox } from '../../sandbox/server.ts';
import { keys, type NodeError } from '../engine/engine';
import { chosen } from '../engine/rows';
import { once } from '../engine/sandbox';
import { Poller } from '../engine/trigger/poller';
import { spoilt, spoiltReply, type Spoilt } from './answers';
import { expectEqual } from './equal';
import { fuzz } from './fuzz';
import { callOf, useService } from './service';
import { expectError } from './words';

const service = useService();

/** The key of each list, and the events that are read from it. */
const lists = {
	'GET /single-send/list': { key: 'singleSends', events: /^(singleSend|statistics)/ },
	'GET /automations': { key: 'automations', events: /^automation/ },
	'GET /senders': { key: 'senders', events: /^sender/ },
	'GET /contacts/list': { key: 'contacts', events: /^contact/ },
	'GET /global-unsubscribes': { key: 'unSubscribers', events: /^global/ },
	'GET /unsubscribes-groups/recipients-list': { key: 'recipients', events: /^unsubscribeGroup/ },
	'GET /segment/email/list': { key: 'contactEmails', events: /^segment/ },
} as const;
type Call = keyof typeof lists;

/** What the lists with a "deleted" event are told by. */
const watched: Array<[call: Call, event: string]> = [
	['GET /single-send/list', 'singleSendDeleted'],
	['GET /automations', 'automationDeleted'],
];

const listOf = (event: string): Call =>
	(Object.keys(lists) as Call[]).find((call) => lists[call].events.test(event)) as Call;

interface Poll {
	/** Which of the lists is not in order. */
	at: number;
	answer: Spoilt;
	/** As for "Fetch Test Event". */
	manual: boolean;
}

interface Case {
	events: EventName[];
	/** One poll each; without an answer all lists are in order. */
	polls: Array<Poll | null>;
	emitExisting: boolean;
	/** Whether n8n is started anew between the polls. */
	restarts: boolean;
}

const cases: fc.Arbitrary<Case> = fc.record({
	polls: fc.array(
		fc.option(
			fc.record({
				at: fc.nat(10),
				answer: spoilt,
				manual: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, fc.constant(true)),
			}),
			{ freq: 5 },
		),
		{ minLength: 1, maxLength: 2 },
	),
	events: fc.subarray(LIST_EVENTS, { minLength: 1, maxLength: 3 }),
	emitExisting: fc.boolean(),
	restarts: fc.boolean(),
});

const parameters = ({ emitExisting, events }: Case) => ({
	events,
	unsubscribeGroupId: chosen(51),
	segmentId: chosen(301),
	singleSendThresholds: {
		threshold: [
			{ statistic: 'bounces', unit: 'count', value: 1 },
			{ statistic: 'unsubscribes', unit: 'percent', value: 5, minimumMessages: 1 },
		],
	},
	automationThresholds: {
		threshold: [
			{ statistic: 'total_bounces', unit: 'percent', value: 5, minimumMessages: 1 },
			{ statistic: 'total_opens', unit: 'count', value: 1 },
		],
	},
	options: { ...once, emitExisting },
});

interface Listed {
	utr?: unknown;
	deleted_at?: unknown;
}

/** The UTRs that an answer shows to be there; undefined where it is no list in order. */
function utrsIn(body: string, key: string): Set<string> | undefined {
	let answer: { status?: unknown; message?: Record<string, unknown> };
	try {
		answer = JSON.parse(body) as typeof answer;
	} catch {
		return undefined;
	}
	const list = answer?.status === 'success' ? answer.message?.[key] : undefined;
	if (!Array.isArray(list)) return undefined;
	const present = (list as Array<Listed | null>).filter((one) => !one?.deleted_at);
	const utrs = present.map((one) => one?.utr);
	return utrs.every((utr) => typeof utr === 'string') ? new Set(utrs) : undefined;
}

function expectNews(items: IDataObject[]): void {
	const text = JSON.stringify(items);
	if (/\[object \w+\]|\bundefined\b|\bNaN\b/.test(text)) throw new Error(`Strange: ${text}`);
	const added = items.filter(({ event }) => /Added$|Created$/.test(String(event)));
	const ids = added.map(({ event, record }) => {
		const { id, utr } = record as IDataObject;
		return `${String(event)} ${/Created$/.test(String(event)) ? String(utr) : Number(id)}`;
	});
	expectEqual(ids, [...new Set(ids)]);
}

async function check(one: Case): Promise<void> {
	const sandbox = { baseUrl: service.recorder.baseUrl } as Sandbox;
	let poller = new Poller(sandbox, parameters(one) as never);
	/** Of each list, the last two that were in order and led to a poll without an error. */
	const seen = new Map<Call, Array<Set<string> | undefined>>(watched.map(([call]) => [call, []]));
	const read = [...new Set(one.events.map(listOf))];
	for (const poll of [null, ...one.polls, null]) {
		const spoiltCall = poll === null ? undefined : read[poll.at % read.length];
		const bodies = new Map<string, string>();
		service.recorder.answer = (raw) => {
			const call = callOf(raw);
			const usual = service.usual.get(call) ?? '';
			const reply =
				poll !== null && call === spoiltCall ? spoiltReply(usual, poll.answer) : { body: usual };
			bodies.set(
				call,
				reply.status === undefined || reply.status < 300 ? reply.body.toString() : '',
			);
			return reply;
		};
		const before = JSON.stringify(poller.savedState());
		const mode = poll?.manual ? 'manual' : 'trigger';
		const result = await poller.poll({ mode }).then(
			(items) => ({ items }),
			(error: NodeError) => ({ error }),
		);
		service.recorder.take();
		if ('error' in result) {
			const { error } = result;
			if (error.name !== 'NodeApiError' && error.name !== 'NodeOperationError') throw error;
			expectError(error);
			if (JSON.stringify(error).includes(keys.secretKey)) throw new Error('A key came out');
			if (poll === null) throw new Error(`All is in order, and yet: ${error.message}`);
			expectEqual(JSON.stringify(poller.savedState()), before);
			continue;
		}
		expectNews(result.items);
		if (mode === 'manual') {
			expectEqual(JSON.stringify(poller.savedState()), before);
			continue;
		}
		for (const [call, event] of watched) {
			const known = seen.get(call) ?? [];
			const now = utrsIn(bodies.get(call) ?? '', lists[call].key);
			for (const { event: told, record } of result.items) {
				if (told !== event) continue;
				const utr = String((record as IDataObject).utr);
				const isGone = (utrs: Set<string> | undefined) => utrs !== undefined && !utrs.has(utr);
				if (!isGone(now) || !isGone(known.at(-1))) throw new Error(`${utr} is not gone`);
			}
			known.push(now);
		}
		if (one.restarts) poller = poller.restarted(poller.savedState());
	}
}

fuzz('trigger', cases, check);
