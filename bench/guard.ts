// What it costs not to write to people who unsubscribed, for one contact and for many.
import { chosen, ours } from './contestants.ts';
import { CONTACT_TYPE, person, resetContacts } from './contacts.ts';
import type { Figures } from './stage.ts';
import { work } from './work.ts';

const COUNT = 1_000;
const UNSUBSCRIBED = 10_000;

const create = (globalUnsubscribes: boolean) =>
	ours({
		resource: 'contact',
		operation: 'create',
		contactTypeId: chosen(CONTACT_TYPE),
		fields: { mappingMode: 'autoMapInputData', value: null },
		options: { globalUnsubscribes },
	});

const globalUnsubscribes = Array.from({ length: UNSUBSCRIBED }, (_, n) => ({
	email_address: `left${n}@example.com`,
}));

const moreTime = (on: Figures, off: Figures) => on.ms - off.ms;
const moreRequests = (on: Figures, off: Figures) => (on.requests ?? NaN) - (off.requests ?? NaN);

export const guarding = work({
	name: 'guard',
	title: `Create contacts, ${UNSUBSCRIBED.toLocaleString('en')} addresses unsubscribed`,
	contestants: {
		one: '1 contact, unsubscribes respected',
		oneUnchecked: '1 contact, not checked',
		many: '1,000 contacts, unsubscribes respected',
		manyUnchecked: '1,000 contacts, not checked',
	},
	targets: [
		{
			what: 'more requests for 1 contact',
			most: 1,
			unit: ' request',
			of: ({ one, oneUnchecked }) => moreRequests(one, oneUnchecked),
		},
		{
			what: 'more requests for 1,000 contacts',
			most: 1,
			unit: ' request',
			of: ({ many, manyUnchecked }) => moreRequests(many, manyUnchecked),
		},
		{
			what: 'more time for 1 contact',
			most: 150,
			unit: ' ms',
			of: ({ one, oneUnchecked }) => moreTime(one, oneUnchecked),
		},
		{
			what: 'time for 1,000 contacts, of that without the check',
			most: 1.25,
			unit: ' ×',
			of: ({ many, manyUnchecked }) => many.ms / manyUnchecked.ms,
		},
	],
	async prepare(stage) {
		const service = await stage.service();
		const turn = async (name: string, isChecked: boolean, count: number) => {
			const run = await stage.workflow(name, service, [create(isChecked)]);
			const items = Array.from({ length: count }, (_, n) => person(n));
			return async () => {
				await resetContacts(service, 0);
				await service.control('POST', '/seed', { globalUnsubscribes });
				return await run(items, count);
			};
		};
		return {
			one: await turn('guard-one', true, 1),
			oneUnchecked: await turn('guard-one-unchecked', false, 1),
			many: await turn('guard-many', true, COUNT),
			manyUnchecked: await turn('guard-many-unchecked', false, COUNT),
		};
	},
});
