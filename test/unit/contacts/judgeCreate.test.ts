import {
	judgeCreate,
	type Create,
	type Duplicates,
} from '../../../nodes/EmailMarketing/features/sync/judge';
import type {
	ListedContact,
	PlannedRow,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import { contact, item, rowOf } from './builders';

const email = 'new@example.com';
const planned = rowOf([item(email, { country: 'DE', city: 'Bonn' })], []);
const isBefore = (id: number) => id < 100;

/** A contact as the run sent it, unless it is changed. */
const listed = (id: number, changed: Partial<ListedContact> = {}) =>
	contact(id, { email, first_name: '', city: 'Bonn', ...changed });

const settle = (contacts: ListedContact[], changed: Partial<Create> = {}) =>
	judgeCreate(
		{
			row: planned,
			answer: 'succeeded',
			problem: '',
			...changed,
		},
		contacts,
		isBefore,
	);
const outcome = (settled: PlannedRow | Duplicates) =>
	'ids' in settled
		? { ids: settled.ids }
		: { action: settled.action, contactId: settled.contactId };

test.each<[what: string, contacts: ListedContact[], expected: object]>([
	['as it was sent', [listed(100)], { action: 'created', contactId: 100, mayBeOfOthers: true }],
	['with other values', [listed(100, { city: 'Ulm' })], { action: 'unchanged', contactId: 100 }],
	['twice', [listed(100), listed(101)], { action: 'unchanged', contactId: 100 }],
	['from before', [listed(5)], { action: 'unchanged', contactId: 5 }],
])(
	'a create that was refused with others and alone, and that the list has %s',
	(_, all, expected) => {
		const refused = { answer: 'refused', problem: 'Taken.' } as const;
		expect(settle(all, { ...refused, wasRejectedTogether: true })).toMatchObject(expected);
		expect(settle(all, refused)).toMatchObject({ action: 'unchanged' });
	},
);

test.each<[what: string, contacts: ListedContact[], expected: object]>([
	['nothing', [], { action: 'created' }],
	['its own', [listed(100)], { action: 'created', contactId: 100 }],
	[
		'its own, as the service changed it',
		[listed(100, { city: 'BONN' })],
		{ action: 'created', contactId: 100 },
	],
	['a contact whose address was changed', [listed(5)], { action: 'created' }],
	[
		'its own, and one with more values',
		[listed(100), listed(101, { state: 'NRW' })],
		{ action: 'created', contactId: 100 },
	],
	[
		'one in another country, and its own',
		[listed(100, { country: 'Austria' }), listed(101)],
		{ ids: [101] },
	],
	['a contact from before, and its own', [listed(5), listed(101)], { ids: [101] }],
	['three that are alike', [listed(100), listed(101), listed(102)], { ids: [102, 101] }],
	['two from before', [listed(5), listed(6)], { action: 'created' }],
	[
		'two that differ',
		[listed(100, { city: '' }), listed(101, { city: 'Ulm' })],
		{ action: 'created' },
	],
])('a create that succeeded, where the list has %s', (_, contacts, expected) => {
	expect(outcome(settle(contacts))).toEqual({ ...expected });
});

test.each<[what: string, contacts: ListedContact[], expected: object]>([
	['nothing', [], { action: 'failed' }],
	['its own', [listed(100)], { action: 'created', contactId: 100 }],
	[
		'one with other values',
		[listed(100, { city: 'Ulm' })],
		{ action: 'unchanged', contactId: 100 },
	],
	['two that are alike', [listed(100), listed(101)], { ids: [101] }],
])('a create whose response was lost, where the list has %s', (_, contacts, expected) => {
	expect(outcome(settle(contacts, { answer: 'lost', problem: 'Lost.' }))).toEqual(expected);
});

test.each<[what: string, contacts: ListedContact[], expected: object]>([
	['nothing', [], { action: 'failed' }],
	['its own', [listed(100)], { action: 'created', contactId: 100 }],
	['one with other values', [listed(100, { city: '' })], { action: 'created', contactId: 100 }],
	['two that are alike', [listed(100), listed(101)], { ids: [101] }],
	['a contact from before', [listed(5)], { action: 'unchanged', contactId: 5 }],
])('a row of a file, where the list has %s', (_, contacts, expected) => {
	expect(outcome(settle(contacts, { answer: 'imported' }))).toEqual(expected);
});

test.each<[what: string, contacts: ListedContact[], expected: object]>([
	['nothing', [], { action: 'failed' }],
	['one that is alike', [listed(100)], { action: 'unchanged', contactId: 100 }],
	['several', [listed(5), listed(100)], { action: 'unchanged', contactId: 5 }],
])('a create that was refused, where the list has %s', (_, contacts, expected) => {
	expect(outcome(settle(contacts, { answer: 'refused', problem: 'Taken.' }))).toEqual(expected);
});

test('a country without a known name is not taken for that of a listed contact', () => {
	const changes = { ...planned.changes, country: { from: null, to: '77' } };
	const row = { ...planned, changes };
	expect(outcome(settle([listed(100), listed(101)], { row }))).toEqual({ action: 'created' });
});

test('if others removed all duplicates, the contact that stays is that of the run if nothing tells it from its own', () => {
	const goneOf = (first: ListedContact) => {
		const settled = settle([first, listed(101)]);
		return 'ids' in settled ? outcome(settled.gone) : undefined;
	};
	expect(goneOf(listed(100))).toEqual({ action: 'created', contactId: 100 });
	expect(goneOf(listed(100, { city: 'Ulm' }))).toEqual({ action: 'unchanged', contactId: 100 });
	expect(goneOf(listed(5))).toEqual({ action: 'unchanged', contactId: 5 });
});
