import { Deadline } from '../../../nodes/EmailMarketing/service/deadline';

/** The timers that were started, to be rung by hand. */
let timers: AbortController[];
let limits: number[];

beforeEach(() => {
	timers = [];
	limits = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const timer = new AbortController();
		timers.push(timer);
		limits.push(ms);
		return timer.signal;
	});
});
afterEach(() => {
	jest.restoreAllMocks();
});

const ring = (index: number) => timers[index]?.abort();
const stateOf = ({ signal, isOver }: Deadline) => ({ aborted: signal.aborted, isOver });

it('ends the request when the time is up', () => {
	const deadline = new Deadline(20, []);
	expect([stateOf(deadline), limits]).toEqual([{ aborted: false, isOver: false }, [20]]);
	ring(0);
	expect(stateOf(deadline)).toEqual({ aborted: true, isOver: true });
});

it('counts the last time that was begun only', () => {
	const deadline = new Deadline(20, []);
	deadline.restart();
	expect(limits).toEqual([20, 20]);
	ring(0);
	expect(stateOf(deadline)).toEqual({ aborted: false, isOver: false });
	ring(1);
	expect(stateOf(deadline)).toEqual({ aborted: true, isOver: true });
});

it('follows what else ends the request', () => {
	const sources = [new AbortController(), new AbortController()];
	const deadline = new Deadline(20, [undefined, ...sources.map(({ signal }) => signal)]);
	sources[1]?.abort();
	expect(stateOf(deadline)).toEqual({ aborted: true, isOver: false });
});

it('is aborted from the start where that is over already', () => {
	expect(stateOf(new Deadline(20, [undefined, AbortSignal.abort()]))).toEqual({
		aborted: true,
		isOver: false,
	});
});

it('follows nothing after the request has ended', () => {
	const source = new AbortController();
	const deadline = new Deadline(20, [source.signal]);
	deadline.stop();
	ring(0);
	source.abort();
	expect(stateOf(deadline)).toEqual({ aborted: false, isOver: false });
});
