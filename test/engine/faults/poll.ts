import { Poller } from '../trigger/poller';
import { inflict, TRIES, type Watched } from './inflict';
import type { Row } from './table';

const CALL = 'GET /single-send/list';

/** What n8n gives a poll that meets silence. */
const BUDGET_MS = 300;

const isSilent = ({ made }: Pick<Row, 'made'>) =>
	made !== 'refused' && made.kind.startsWith('timeout');

const parameters = { events: ['singleSendStatusChanged', 'singleSendCreated'] };

/** A trigger that has polled before, and two things that happened since. */
async function start(watched: Watched, row: Row): Promise<Poller> {
	const { service, gate } = watched;
	service.reset();
	await gate.open();
	const poller = new Poller({ baseUrl: watched.baseUrl(row) }, parameters);
	expect(await poller.poll()).toEqual([]);
	const { singleSends } = service.state.tables;
	const [send] = singleSends.all();
	if (send !== undefined) singleSends.change(send, { status: 2 });
	singleSends.add({ single_send_name: 'News' }, service.state.clock.now());
	service.state.journal.entries.length = 0;
	return poller;
}

const told = [
	{ event: 'singleSendStatusChanged', record: { single_send_name: 'March newsletter' } },
	{ event: 'singleSendCreated', record: { single_send_name: 'News' } },
];

/** The fault is over: the trigger tells all that happened until now, and then nothing more. */
async function expectAllToldOnce({ service, gate }: Watched, poller: Poller): Promise<void> {
	service.state.faults.clear();
	await gate.open();
	const { tables, clock } = service.state;
	tables.singleSends.add({ single_send_name: 'Late news' }, clock.now());
	const late = { event: 'singleSendCreated', record: { single_send_name: 'Late news' } };
	expect(await poller.poll()).toMatchObject([...told, late]);
	expect(await poller.poll()).toEqual([]);
}

function sentence({ says, made }: Row, tries: number): object {
	if (isSilent({ made })) {
		return {
			message: `The list of campaigns took longer than the ${BUDGET_MS / 1000} seconds that n8n allows for a poll`,
			description:
				'The next poll reads the list again. If this keeps happening, increase N8N_SCHEDULER_POLL_TIMEOUT and N8N_SCHEDULER_LEASE_DURATION in n8n.',
			httpCode: null,
		};
	}
	return {
		message: says?.message,
		description: says?.remedy + (tries > 1 ? ` Tried ${tries} times.` : ''),
		httpCode: says?.httpCode,
	};
}

/** Lets a poll of the trigger meet a fault. */
export async function checkPoll(watched: Watched, row: Row): Promise<void> {
	const { service, watch } = watched;
	const isRefused = row.made === 'refused';
	const expectSent = (tries: number, arrived: number) => {
		expect(watched.pauses()).toBe(tries - 1);
		expect(service.calls()).toEqual(Array(arrived).fill(CALL));
	};
	const expectFailure = async (poller: Poller, tries: number) => {
		const before = poller.savedState();
		const error: unknown = await poller
			.poll(isSilent(row) ? { budgetMs: BUDGET_MS } : {})
			.catch((problem: unknown) => problem);
		watch.add(error);
		watch.add(poller.workflow.staticData);
		const { message, description, httpCode } = error as Record<string, unknown>;
		expect({ message, description, httpCode }).toEqual(sentence(row, tries));
		expect(poller.savedState()).toEqual(before);
	};

	const poller = await start(watched, row);
	await inflict(watched, row, 'once');
	if (row.poll === 'next poll') {
		await expectFailure(poller, 1);
		expectSent(1, 1);
		await expectAllToldOnce(watched, poller);
	} else {
		const events = await poller.poll();
		watch.add(events);
		expect(events).toMatchObject(told);
		expect(await poller.poll()).toEqual([]);
		const isRetried = row.poll === 'retried';
		// Of two polls, the second without a fault.
		expectSent(isRetried ? 2 : 1, isRetried && !isRefused ? 3 : 2);
	}
	if (row.poll === 'retried') {
		const unlucky = await start(watched, row);
		await inflict(watched, row, 'always');
		await expectFailure(unlucky, TRIES);
		expectSent(TRIES, isRefused ? 0 : TRIES);
		await expectAllToldOnce(watched, unlucky);
	}
	expect(service.violations()).toEqual([]);
}
