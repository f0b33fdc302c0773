// What a poll over many single sends costs, next to parsing the service's answer, and how much state
// it keeps. It measures dist/, which npm run bench builds.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { detect as Detect } from '../nodes/EmailMarketing/trigger/events.ts';
import type {
	countChange as CountChange,
	EMPTY_STATE as EmptyState,
} from '../nodes/EmailMarketing/trigger/state.ts';
import type { Row, Watch } from '../nodes/EmailMarketing/trigger/types.ts';

const require = createRequire(import.meta.url);
const dist = '../dist/nodes/EmailMarketing/trigger';
const { detect } = require(`${dist}/events.js`) as { detect: typeof Detect };
const { countChange, EMPTY_STATE } = require(`${dist}/state.js`) as {
	countChange: typeof CountChange;
	EMPTY_STATE: typeof EmptyState;
};

const COUNT = 10_000;
const ROUNDS = 15;

const send = (id: number): Row => ({
	id,
	user_id: 7,
	template_id: 12,
	recipient_id: [{ id: '3', table: 'contacts_' }],
	exclude_specific_recipient_id: [],
	sender_id: 4,
	unsubscribe_group_id: 2,
	single_send_name: `Newsletter ${id}`,
	from_sender: 'news@example.com',
	reply_to: 'reply@example.com',
	sender_name: 'Example',
	sender_address: '1 Example Street',
	subject: `What is new in week ${id}`,
	preheader: 'Three things worth your time',
	schedule_type: 0,
	schedule_date: '0000-00-00',
	schedule_time: '00:00:00',
	status: 3,
	utr: randomUUID(),
	template_json: null,
	template_html: null,
	triggered: 1000,
	delivered: 980,
	unique_opens: 300,
	total_opens: 420,
	bounces: 20,
	unsubscribes: 3,
	unique_open_token: {},
	sent_at: '2026-01-01 00:00:00',
	created_at: '2026-01-01T00:00:00.000000Z',
	updated_at: '2026-01-01T00:00:00.000000Z',
});

const watch: Watch = {
	events: new Set([
		'singleSendStatusChanged',
		'singleSendCreated',
		'singleSendDeleted',
		'singleSendStatisticReached',
	]),
	singleSends: { from: [], to: [], only: [] },
	automations: { from: [], to: [], only: [] },
	thresholds: [1, 2, 5].map((value) => ({
		statistic: 'bounces',
		unit: 'percent',
		value,
		minimumDelivered: 100,
	})),
	emitExisting: false,
};

const cpuMs = (work: () => void) => {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
};
const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const rows = Array.from({ length: COUNT }, (_, index) => send(index + 1));
const answer = JSON.stringify({ status: 'success', message: { singleSends: rows } });
let { state } = detect(new Map([['singleSends', rows]]), EMPTY_STATE, watch);
// As n8n gives it back: read from its database.
state = JSON.parse(JSON.stringify(state)) as typeof state;

const parsing: number[] = [];
const polling: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
	let parsed: Row[] = [];
	parsing.push(
		cpuMs(() => {
			parsed = (JSON.parse(answer) as { message: { singleSends: Row[] } }).message.singleSends;
		}),
	);
	polling.push(
		cpuMs(() => countChange(state, detect(new Map([['singleSends', parsed]]), state, watch).state)),
	);
}

const bytes = Buffer.byteLength(JSON.stringify(state.records.singleSends?.records));
console.log(`${COUNT} single sends, an answer of ${(answer.length / 1e6).toFixed(1)} MB`);
console.log(`parsing the answer: ${median(parsing).toFixed(1)} ms of CPU`);
console.log(`telling what happened: ${median(polling).toFixed(1)} ms of CPU`);
console.log(`ratio: ${(median(polling) / median(parsing)).toFixed(2)}`);
console.log(`state: ${(bytes / COUNT).toFixed(1)} bytes for each single send`);
