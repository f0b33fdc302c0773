import { retryAfterMs, retryAfterSentence } from '../../../nodes/EmailMarketing/service/retryAfter';

const date = 'Wed, 01 Jul 2026 10:00:00 GMT';
const { TZ } = process.env;

beforeAll(() => {
	process.env.TZ = 'Asia/Kolkata';
});
afterAll(() => {
	if (TZ === undefined) delete process.env.TZ;
	else process.env.TZ = TZ;
});

it('is tested where the time is not that of Greenwich', () => {
	expect(new Date(date).getTimezoneOffset()).toBe(-330);
});

it.each([
	['seconds', { 'retry-after': '120' }, 120_000],
	['seconds with blanks around them', { 'retry-after': ' 120 ' }, 120_000],
	[
		'a date, by the clock of the service',
		{ 'retry-after': 'Wed, 01 Jul 2026 10:00:30 GMT', date },
		30_000,
	],
	['a date that has passed', { 'retry-after': 'Wed, 01 Jul 2026 09:00:00 GMT', date }, 0],
	['a date in the form of C', { 'retry-after': 'Wed Jul  1 10:00:30 2026', date }, undefined],
	['a date without a time zone', { 'retry-after': 'Wed, 01 Jul 2026 10:00:30', date }, undefined],
	['nothing', {}, undefined],
	['a word', { 'retry-after': 'soon', date }, undefined],
	['a negative number', { 'retry-after': '-5' }, undefined],
	['a fraction', { 'retry-after': '1.5' }, undefined],
	['a date with something before it', { 'retry-after': `(about) ${date}`, date }, undefined],
])('Retry-After may be %s', (_what, headers, ms) => {
	expect(retryAfterMs({ headers })).toBe(ms);
});

it('Retry-After may be a date without a clock of the service', () => {
	jest.useFakeTimers({ now: Date.parse(date) - 5000 });
	expect(retryAfterMs({ headers: { 'retry-after': date } })).toBe(5000);
	jest.useRealTimers();
});

it.each([
	[0, 'Retry after 0 seconds.'],
	[1, 'Retry after 1 second.'],
	[1000, 'Retry after 1 second.'],
	[1001, 'Retry after 2 seconds.'],
])('a pause of %i ms is one of whole seconds', (ms, sentence) => {
	expect(retryAfterSentence(ms)).toBe(sentence);
});
