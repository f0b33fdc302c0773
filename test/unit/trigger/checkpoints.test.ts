import { Random } from '../../../soak/random.ts';
import { detect } from '../../../nodes/EmailMarketing/trigger/events';
import type { SourceName } from '../../../nodes/EmailMarketing/trigger/sources';
import { readState, withLineage } from '../../../nodes/EmailMarketing/trigger/state';
import type { TriggerState } from '../../../nodes/EmailMarketing/trigger/state';
import type { Row, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import { only, time, utr } from './arbitraries';

const POLLS = 500;
/** As many as a deletion can take to be reported. */
const ENOUGH = 6;
const MINUTE = 60_000;

const watch = only([
	...(['singleSendCreated', 'singleSendStatusChanged', 'singleSendDeleted'] as const),
	...(['contactAdded', 'contactUpdated'] as const),
]);

/** The records of the service, by ID. */
interface Service {
	sends: Map<number, Row>;
	contacts: Map<number, Row>;
}

/** What n8n has saved, and what was so when it did. */
interface Checkpoint {
	saved: string;
	service: Service;
	/** The single sends whose deletion is still to be reported, or that are there. */
	unreported: Set<number>;
}

class World implements Service {
	readonly sends = new Map<number, Row>();
	readonly contacts = new Map<number, Row>();
	private seconds = 0;
	private ids = 0;
	private readonly random: Random;

	constructor(seed: string) {
		this.random = new Random(seed);
		for (let count = 0; count < 20; count++) this.add();
	}

	private stamp() {
		this.seconds += this.random.whole(1, 20);
		return { updated_at: time(this.seconds) };
	}

	private add() {
		const id = ++this.ids;
		if (this.random.chance(0.5)) {
			this.sends.set(id, { id, utr: utr(id), user_id: 7, status: 0, ...this.stamp() });
		} else this.contacts.set(id, { id, user_id: 7, contact_type_id: 1, ...this.stamp() });
	}

	/** What happens between two polls; often nothing. */
	change() {
		for (let left = this.random.pick([0, 0, 0, 1, 1, 2, 4]); left > 0; left--) {
			const table = this.random.pick([this.sends, this.contacts]);
			const what = this.random.pick(['add', 'change', 'change', 'remove']);
			const id = this.random.pick([0, ...table.keys()]);
			const row = table.get(id);
			if (what === 'add' || !row) this.add();
			else if (what === 'remove') table.delete(id);
			else {
				const status = (Number(row.status) + this.random.whole(1, 6)) % 8;
				table.set(id, { ...row, ...(table === this.sends && { status }), ...this.stamp() });
			}
		}
	}

	copy(): Service {
		return { sends: new Map(this.sends), contacts: new Map(this.contacts) };
	}
}

/** One poll of a process that has nothing but the state. */
function poll(saved: string, { sends, contacts }: Service, at: number) {
	const before = readState({ state: JSON.parse(saved) as never }) as TriggerState;
	const rows = new Map<SourceName, Row[]>([
		['singleSends', [...sends.values()]],
		['contacts', [...contacts.values()]],
	]);
	const { events, state } = detect(rows, before, watch, at * MINUTE);
	return { events, state: JSON.stringify(withLineage(before, state)) };
}

const first = JSON.stringify(readState({}));

/** @param savesAlways whether n8n saves the state of a poll without events: with durable cursors only */
function record(savesAlways: boolean) {
	const world = new World(savesAlways ? 'durable' : 'plain');
	const checkpoints: Checkpoint[] = [];
	const deleted = new Set<string>();
	const known = new Set<number>();
	let state = first;
	for (let at = 0; at < POLLS; at++) {
		world.change();
		const { events, state: after } = poll(state, world, at);
		for (const id of world.sends.keys()) known.add(id);
		for (const { event, record: row } of events) {
			if (event === 'singleSendDeleted') deleted.add(String(row.utr));
		}
		const isSaved = at === 0 || events.length > 0 || (savesAlways && after !== state);
		if (isSaved) {
			const unreported = new Set([...known].filter((id) => !deleted.has(utr(id))));
			checkpoints.push({ saved: after, service: world.copy(), unreported });
		}
		state = after;
	}
	return { world, checkpoints };
}

const summary = ({ event, record: row, previousStatus, status }: TriggerEvent) => {
	const steps = event === 'singleSendStatusChanged' ? [previousStatus?.code, status?.code] : [];
	return [event, row.utr ?? row.id, ...steps].map(String).join(' ');
};

/** What has happened since a checkpoint, as the records show it. */
function expected({ service, unreported }: Checkpoint, now: Service): string[] {
	const all: string[] = [];
	for (const [id, { status }] of now.sends) {
		const before = service.sends.get(id);
		if (!before) all.push(`singleSendCreated ${utr(id)}`);
		const from = before ? before.status : 0;
		if (from !== status) {
			all.push(
				`singleSendStatusChanged ${utr(id)} ${before ? String(from) : 'undefined'} ${String(status)}`,
			);
		}
	}
	for (const id of unreported) if (!now.sends.has(id)) all.push(`singleSendDeleted ${utr(id)}`);
	for (const [id, { updated_at }] of now.contacts) {
		const before = service.contacts.get(id);
		if (!before) all.push(`contactAdded ${id}`);
		else if (before.updated_at !== updated_at) all.push(`contactUpdated ${id}`);
	}
	return all.sort();
}

test.each([
	['with durable cursors', true],
	['without durable cursors', false],
])('%s, the trigger goes on from each state that 500 polls have saved', (_mode, savesAlways) => {
	const { world, checkpoints } = record(savesAlways);
	expect(checkpoints.length).toBeGreaterThan(250);
	for (const checkpoint of checkpoints) {
		let { saved } = checkpoint;
		const found: string[] = [];
		for (let more = 0; more < ENOUGH; more++) {
			const { events, state } = poll(saved, world, POLLS + more);
			found.push(...events.map(summary));
			saved = state;
		}
		const wanted = expected(checkpoint, world);
		expect(found.sort()).toEqual(wanted);
		expect(poll(saved, world, POLLS + ENOUGH).events).toEqual([]);
	}
});
