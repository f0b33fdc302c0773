import type { Row, TriggerEvent } from '../../../nodes/EmailMarketing/trigger/types';
import { everything, pollAll, sendOf, thresholds, time } from './arbitraries';

const names = (events: TriggerEvent[] | undefined) => events?.map(({ event }) => event);

describe('malformed responses', () => {
	const contactOf = (id: number, fields: Row = {}): Row => ({
		...{ id, user_id: 7, updated_at: time(id) },
		...fields,
	});

	test('a record that is listed twice is one', () => {
		const twice = [contactOf(2), contactOf(2)];
		expect(names(pollAll('contacts', [[contactOf(1)], [contactOf(1), ...twice]])[1])).toEqual([
			'contactAdded',
		]);
	});

	test('an invalid time does not become the newest one seen', () => {
		const odd = contactOf(1, { updated_at: 'zzz' });
		const changed = contactOf(2, { updated_at: time(60) });
		expect(
			names(
				pollAll('contacts', [
					[contactOf(1), contactOf(2)],
					[odd, contactOf(2)],
					[odd, changed],
				])[2],
			),
		).toEqual(['contactUpdated']);
	});

	test.each<unknown>([undefined, null, '', {}, { toString: 1 }, '1'.repeat(41)])(
		'a status of %j is invalid: the last one is remembered',
		(status) => {
			const odd = { ...sendOf(1), status } as Row;
			const done = sendOf(1, { status: 2 });
			const [, none, last] = pollAll('singleSends', [[sendOf(1, { status: 1 })], [odd], [done]]);
			expect(none).toEqual([]);
			expect(last?.map(({ previousStatus }) => previousStatus)).toEqual([
				{ code: 1, label: 'ready to send' },
			]);
		},
	);

	test.each([false, 0, ''])('a record that was deleted at %j is there', (deleted_at) => {
		const there = { ...sendOf(1), deleted_at } as unknown as Row;
		expect(pollAll('singleSends', [[sendOf(1)], [there], [there]]).flat()).toEqual([]);
	});

	test('a statistic that is no number counts as 0', () => {
		const odd = { ...sendOf(1), bounces: { valueOf: 1, toString: 1 } } as unknown as Row;
		const watch = { ...everything, thresholds };
		expect(pollAll('singleSends', [[sendOf(1)], [odd]], watch)[1]).toEqual([]);
	});
});
