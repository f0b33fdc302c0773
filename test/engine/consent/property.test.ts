import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { GROUP, LEFT, neverAddArray, operations, person, useConsent } from './support';

const given = useConsent({ duplicateEmail: 'allow' });
const all = {
	...operations,
	upsert: { operation: 'upsert' },
	sync: { operation: 'sync' },
};
type Name = keyof typeof all;
const addressKey = (address: string) => address.trim().toLowerCase();

/** Few addresses, in many spellings. */
const address = fc
	.constantFrom('ada', 'ben', 'cy', 'dee', 'eve')
	.map((name) => `${name}@example.com`);
const spelling = fc
	.tuple(address, fc.constantFrom('', ' ', '\t'), fc.boolean())
	.map(([text, space, isUpper]) => `${space}${isUpper ? text.toUpperCase() : text}${space}`);
const cases = fc.record({
	everywhere: fc.array(spelling, { maxLength: 3 }),
	fromGroup: fc.array(spelling, { maxLength: 3 }),
	never: fc.array(fc.record({ email: spelling, isErased: fc.boolean() }), { maxLength: 2 }),
	respectsGlobal: fc.boolean(),
	respectsGroup: fc.boolean(),
	inputs: fc.array(spelling, { minLength: 1, maxLength: 6 }),
	/** Addresses of the contacts that are updated. */
	current: fc.array(address, { minLength: 6, maxLength: 6 }),
	goesOn: fc.boolean(),
});
type Case = typeof cases extends fc.Arbitrary<infer T> ? T : never;

/** The addresses that may not be written. */
function respected(one: Case): Set<string> {
	const everywhere = one.respectsGlobal ? [...one.everywhere, LEFT] : [];
	const fromGroup = one.respectsGroup ? one.fromGroup : [];
	const never = one.never.map(({ email }) => email);
	return new Set([...everywhere, ...fromGroup, ...never].map(addressKey));
}

/** Runs the operation in a new account, and gives the addresses that were written, and the contacts by ID. */
async function run(name: Name, one: Case) {
	const { account } = given;
	account.reset();
	const { tables } = account.state;
	tables.segments.add({ id: 301, segment_name: 'VIP' }, 0);
	tables.unsubscribeGroups.add({ id: GROUP, group_name: 'Offers' }, 0);
	account.unsubscribe(LEFT);
	for (const email of one.everywhere) account.unsubscribe(email);
	for (const email of one.fromGroup) account.unsubscribe(email, GROUP);
	const isUpdate = name === 'update';
	const contacts = isUpdate ? one.current.map((email) => account.add(email)) : [];
	const items: IDataObject[] = one.inputs.map((email, index) =>
		person(email, isUpdate ? { id: contacts[index]?.id } : {}),
	);
	const options = {
		globalUnsubscribes: one.respectsGlobal,
		unsubscribeGroups: one.respectsGroup ? [GROUP] : [],
		...(one.never.length > 0 && neverAddArray(one.never)),
	};
	const node = one.goesOn ? { onError: 'continueErrorOutput' as const } : {};
	const {
		error,
		failed,
		items: outputs,
	} = await account.run({ ...all[name], options }, items, node);
	expect([error, failed]).toEqual([undefined, []]);
	expect(outputs.map(({ pairedItem }) => pairedItem)).toEqual(
		items.map((_item, item) => ({ item })),
	);
	const written = account.writes().map(([, fields]) => fields as IDataObject);
	return { written, contacts, outputs: outputs.map(({ json }) => json), reads: account.reads() };
}

const keysOf = (written: IDataObject[]) =>
	new Set(written.map(({ email }) => addressKey(String(email))));

async function check(name: Name, one: Case): Promise<void> {
	const { written, contacts, outputs, reads } = await run(name, one);
	const blocked = respected(one);
	const currentOf = (index: number) => addressKey(contacts[index]?.email ?? '');
	const isHeldBack = one.inputs.map((email, index) => {
		const puts = name !== 'update' || addressKey(email) !== currentOf(index);
		return puts && (blocked.has(addressKey(email)) || blocked.has(currentOf(index)));
	});

	const wanted = one.inputs.filter((_email, index) => !isHeldBack[index]);
	expect(keysOf(written)).toEqual(new Set(wanted.map(addressKey)));
	const ids = new Set(written.map(({ contact_id: id }) => id));
	isHeldBack.forEach((held, index) => {
		const why = String(outputs[index]?.skipped ?? outputs[index]?.reason);
		expect(/^unsubscribed$|Never Add/.test(why)).toBe(held);
		if (held && name === 'update') expect(ids).not.toContain(String(contacts[index]?.id));
	});
	const lists = reads.filter((path) => path.includes('unsubscribe'));
	expect(new Set(lists).size).toBe(lists.length);
}

test.each(Object.keys(all) as Name[])(
	'%s: for any lists and inputs, nobody on a respected list is written, and everybody else is',
	async (name) => {
		await fc.assert(
			fc.asyncProperty(cases, async (one) => await check(name, one)),
			{ numRuns: 10 },
		);
	},
);
