import fc from 'fast-check';

import type { MappedContact } from '../../../nodes/EmailMarketing/features/contacts/fields';
import type { MissingPolicy } from '../../../nodes/EmailMarketing/features/sync/types';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { syncOptions, type Fault } from './inMemoryService';
import { RememberedSync, type RunSettings } from './rememberedSync';

const GROUP = 51;
const RESPECTED = 52;
const OTHER_TYPE = 8;

const address = fc.nat(7).map((n) => `c${n}@x.org`);
const nth = fc.nat(20);

/** A person has the same external ID in most inputs, and often another address. */
const person = fc.record({
	n: fc.nat(7),
	email: fc.oneof(
		{ arbitrary: fc.constant(undefined), weight: 4 },
		{ arbitrary: address, weight: 1 },
	),
	externalId: fc.oneof(
		{ arbitrary: fc.constant(undefined), weight: 6 },
		{ arbitrary: fc.constantFrom('', 'K0', 'K1'), weight: 1 },
	),
	spelling: fc.boolean(),
	first_name: fc.constantFrom('Ann', 'Bob'),
	country: fc.oneof(
		{ arbitrary: fc.constant('DE'), weight: 9 },
		{ arbitrary: fc.constant('Atlantis'), weight: 1 },
	),
	/** For "Match By: Contact ID": which of the contacts. */
	contact: fc.option(nth, { nil: undefined }),
});

const missing = fc.constantFrom<MissingPolicy>(
	{ kind: 'delete' },
	{ kind: 'delete' },
	{ kind: 'moveToContactType', contactTypeId: OTHER_TYPE },
	{ kind: 'addToUnsubscribeGroup', unsubscribeGroupId: GROUP },
	{ kind: 'ignore' },
);

const often = fc.constantFrom(true, true, true, false);
const seldom = fc.constantFrom(false, false, false, true);
const fault = fc.constantFrom<Fault>('rejected', 'lost before', 'lost after');
const call = fc.oneof(
	fc.constantFrom('create', 'update', 'remove ', 'removeMany', 'addToGroup', 'upload'),
	address,
);

const runStep = fc.record({
	kind: fc.constant('run' as const),
	people: fc.array(person, { minLength: 1, maxLength: 9, size: 'max' }),
	missing,
	matchBy: fc.constantFrom('email' as const, 'email' as const, 'contactId' as const),
	onlyAdded: often,
	recreateRemoved: seldom,
	knowsExternalIdField: fc.boolean(),
	isManual: seldom,
	isFile: seldom,
	faults: fc.oneof(
		{ arbitrary: fc.constant<Array<[string, Fault]>>([]), weight: 3 },
		{ arbitrary: fc.array(fc.tuple(call, fault), { maxLength: 2 }), weight: 1 },
	),
	/** Who signs up while the run writes, in the service. */
	meanwhile: fc.option(address, { nil: undefined }),
	maxRemovals: fc.option(fc.nat(3), { nil: undefined }),
	/** Whether it is run again with the same input. */
	isRepeated: fc.boolean(),
});
type RunStep = ReturnType<typeof runStep.generate>['value'];

const step = fc.oneof(
	{ arbitrary: runStep, weight: 8 },
	{ arbitrary: fc.record({ kind: fc.constant('sign up' as const), email: address }), weight: 2 },
	{ arbitrary: fc.record({ kind: fc.constant('remove' as const), nth }), weight: 2 },
	{
		arbitrary: fc.record({ kind: fc.constant('change' as const), nth, email: address }),
		weight: 1,
	},
	{
		arbitrary: fc.record({
			kind: fc.constant('unsubscribe' as const),
			email: address,
			fromGroup: fc.boolean(),
		}),
		weight: 1,
	},
	{ arbitrary: fc.record({ kind: fc.constant('restart' as const) }), weight: 1 },
	{ arbitrary: fc.record({ kind: fc.constant('lose' as const) }), weight: 1 },
	{ arbitrary: fc.record({ kind: fc.constant('go back' as const), count: fc.nat(3) }), weight: 1 },
);
type Step = ReturnType<typeof step.generate>['value'];

function itemsOf(
	sync: RememberedSync,
	{ people, knowsExternalIdField, matchBy }: RunStep,
): MappedContact[] {
	return people.map(({ n, spelling, contact, ...rest }) => {
		const email = rest.email ?? `c${n}@x.org`;
		const id = contact === undefined ? undefined : sync.service.contacts[contact]?.id;
		return {
			values: {
				email: spelling ? ` ${email.toUpperCase()}` : email,
				first_name: rest.first_name,
				country: rest.country,
			},
			...(knowsExternalIdField && { externalId: rest.externalId ?? `K${n}` }),
			...(matchBy === 'contactId' && id !== undefined && { contactId: id }),
		};
	});
}

function settingsOf(run: RunStep): RunSettings {
	const { missing, matchBy, knowsExternalIdField, isManual, recreateRemoved } = run;
	const onlyAddedBySync = run.onlyAdded && missing.kind !== 'ignore';
	const columns = [
		{ header: 'email', field: 'email' },
		{ header: 'country', field: 'country' },
	] as const;
	const options = syncOptions({
		...{ missing, matchBy, onlyAddedBySync, recreateRemoved },
		...{ maxRemovals: run.maxRemovals, maxFailurePercent: 100 },
		unsubscribeGroupIds: [RESPECTED],
		...(run.isFile && { csvImport: { above: 0, columns, country: 'id' as const } }),
	});
	return { options, isManual, knowsExternalIdField };
}

/** Whether nothing is left to do after a run: nothing went wrong, and no two items contradict each other. */
function isSettled(run: RunStep, items: MappedContact[]): boolean {
	if (run.faults.length > 0 || run.meanwhile !== undefined || run.isFile) return false;
	if (run.matchBy === 'contactId') return false;
	if (!run.knowsExternalIdField) return true;
	const pairs = items.map(({ values, externalId }) => [
		addressKey(String(values.email)),
		externalId ?? '',
	]);
	const count = (part: (pair: unknown[]) => unknown) => new Set(pairs.map(part)).size;
	const different = count((pair) => pair.join());
	return different === count(([email]) => email) && different === count(([, id]) => id);
}

/** What must hold for a run, whatever has been before. */
async function runAndCheck(sync: RememberedSync, run: RunStep): Promise<void> {
	const { service, expected } = sync;
	const items = itemsOf(sync, run);
	const settings = settingsOf(run);
	const { onlyAddedBySync, recreateRemoved } = settings.options;
	const held = new Set([...service.globalUnsubscribes, ...(service.groups[RESPECTED] ?? [])]);
	const before = structuredClone(service.contacts);
	const groupBefore = [...(service.groups[GROUP] ?? [])];
	service.calls = [];
	service.faults = run.faults;
	// Whether a lost write or that of somebody else added a contact is not to be seen.
	let meanwhile = run.faults.length === 0 && !run.isFile ? run.meanwhile : undefined;
	service.onWrite = () => {
		if (meanwhile === undefined || held.has(meanwhile)) return;
		sync.signUp(meanwhile);
		meanwhile = undefined;
	};
	const { rows, isStopped } = await sync.run(items, settings);
	service.onWrite = () => undefined;
	const after = new Map(service.contacts.map((contact) => [contact.id, contact]));

	if (isStopped) {
		expect(service.writes).toEqual([]);
		expect(service.contacts).toEqual(before);
		return;
	}
	expect(rows.flatMap(({ item }) => (item === undefined ? [] : [item]))).toEqual(
		items.map((_, item) => item),
	);
	const isHeld = ({ email }: { email: string }) => held.has(addressKey(email));
	expect(service.contacts.filter(isHeld)).toEqual(before.filter(isHeld));
	const grouped = rows.filter(({ action }) => action === 'addedToGroup');
	const added = (service.groups[GROUP] ?? []).filter((one) => !groupBefore.includes(one));
	expect(added.filter((one) => held.has(addressKey(one)))).toEqual([]);

	if (onlyAddedBySync) {
		const gone = before.filter(
			({ id, contact_type_id: type }) => after.get(id)?.contact_type_id !== type,
		);
		const removed = [...gone.map(({ id }) => id), ...grouped.map(({ contactId }) => contactId)];
		expect(removed.filter((id) => !service.createdIds.has(id ?? 0))).toEqual([]);
		const emails = new Set(grouped.map(({ email }) => email));
		expect(added.filter((one) => !emails.has(one))).toEqual([]);
	}
	const created = rows.filter(({ action }) => action === 'created');
	if (onlyAddedBySync && !recreateRemoved) {
		expect(created.filter(({ email }) => expected.addresses.has(addressKey(email)))).toEqual([]);
	}
	for (const { item = 0, reason = '', contactId } of rows) {
		const id = items[item]?.externalId as string | undefined;
		const known = expected.externalIds.get(id ?? '');
		if (reason.startsWith('Found by the external ID') && known !== undefined) {
			expect({ id, contactId }).toEqual({ id, contactId: known });
		}
	}
	if (!run.isRepeated || !isSettled(run, items)) return;
	service.calls = [];
	await sync.run(items, settings);
	expect(service.writes).toEqual([]);
}

async function take(sync: RememberedSync, one: Step): Promise<void> {
	const { service } = sync;
	switch (one.kind) {
		case 'run':
			await runAndCheck(sync, one);
			break;
		case 'sign up':
			sync.signUp(one.email);
			break;
		case 'remove': {
			const at = one.nth % (service.contacts.length || 1);
			service.contacts = service.contacts.filter((_, index) => index !== at);
			break;
		}
		case 'change': {
			const contact = service.contacts[one.nth % (service.contacts.length || 1)];
			if (contact) contact.email = one.email;
			break;
		}
		case 'unsubscribe':
			if (one.fromGroup) (service.groups[RESPECTED] ??= []).push(one.email);
			else service.globalUnsubscribes.push(one.email);
			break;
		case 'restart':
			sync.restart();
			break;
		case 'lose':
			sync.lose();
			break;
		case 'go back':
			sync.goBack(one.count);
			break;
	}
}

test('whatever happens between runs, a sync removes only whom it added and leaves alone who unsubscribed', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(step, { minLength: 2, maxLength: 14, size: 'max' }),
			async (steps) => {
				const sync = new RememberedSync();
				for (const one of steps) await take(sync, one);
			},
		),
		{ numRuns: 40 },
	);
});
