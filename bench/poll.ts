// A poll of the trigger over many single sends: what telling the events from the rows costs next to parsing the
// answer, and how much state it keeps.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { detect as Detect } from '../nodes/EmailMarketing/trigger/events.ts';
import type {
	EMPTY_STATE as EmptyState,
	withLineage as WithLineage,
} from '../nodes/EmailMarketing/trigger/state.ts';
import type { Row, Watch } from '../nodes/EmailMarketing/trigger/types.ts';
import { work } from './work.ts';

const COUNT = 10_000;

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
	ages: [],
	sentAt: () => undefined,
	thresholds: {
		singleSends: [1, 2, 5].map((value) => ({
			statistic: 'bounces',
			base: 'triggered',
			unit: 'percent',
			value,
			minimumMessages: 100,
		})),
		automations: [],
	},
	emitExisting: false,
};

const cpuMs = (work: () => void) => {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
};

export const polling = work({
	name: 'poll',
	title: `Poll ${COUNT.toLocaleString('en')} single sends`,
	rounds: 15,
	contestants: { parse: 'JSON.parse of the response', poll: 'Detecting what changed' },
	targets: [
		{
			what: 'CPU for detecting changes ÷ JSON.parse of the response',
			most: 2,
			of: ({ parse, poll }) => poll.ms / parse.ms,
		},
		{
			what: 'state for each single send',
			most: 60,
			unit: ' bytes',
			of: ({ poll }) => (poll.bytes ?? NaN) / COUNT,
		},
	],
	async prepare() {
		// The build that is installed in n8n; here it finds luxon, which only a running n8n lends to packages.
		const require = createRequire(import.meta.url);
		const from = <T>(file: string) =>
			require(join('../dist/nodes/EmailMarketing/trigger', file)) as T;
		const { detect } = from<{ detect: typeof Detect }>('events.js');
		const { EMPTY_STATE, withLineage } = from<{
			EMPTY_STATE: typeof EmptyState;
			withLineage: typeof WithLineage;
		}>('state.js');

		const rows = Array.from({ length: COUNT }, (_, index) => send(index + 1));
		const answer = JSON.stringify({ status: 'success', message: { singleSends: rows } });
		const parse = () => (JSON.parse(answer) as { message: { singleSends: Row[] } }).message;
		// As n8n gives it back: read from its database.
		const text = JSON.stringify(
			detect(new Map([['singleSends', rows]]), EMPTY_STATE, watch, 0).state,
		);
		const state = JSON.parse(text) as typeof EmptyState;
		const bytes = Buffer.byteLength(JSON.stringify(state.records.singleSends?.records));
		return {
			parse: async () => ({ ms: cpuMs(parse) }),
			poll: async () => {
				const { singleSends } = parse();
				const poll = () => detect(new Map([['singleSends', singleSends]]), state, watch, 0);
				return { ms: cpuMs(() => withLineage(state, poll().state)), bytes };
			},
		};
	},
});
