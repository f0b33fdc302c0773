import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { limits, removal } from '../../scripts/lib/workflow-json.ts';
import { chosen } from '../engine/rows';
import { once } from '../engine/sandbox';
import { runNode } from '../engine/engine';
import { spoilt, spoiltReply, type Spoilt } from './answers';
import { expectNone } from './equal';
import { fuzz } from './fuzz';
import { callOf, startRecorder } from './service';
import type { Received } from './recorder';
import { expectError, expectFailedItem, expectNoKeys, expectWords } from './words';

const recorder = startRecorder();

const type = 21;
const stamps = { deleted_at: null, updated_at: '2026-03-02T10:00:00.000000Z' };

/** What the service has: the first five are in the input too, the sixth is not, the last is of another type. */
const contacts = [1, 2, 3, 4, 5, 6, 7].map((n) => ({
	id: n,
	user_id: 1,
	contact_type_id: n === 7 ? 22 : type,
	email: `c${n}@example.com`,
	first_name: `Name ${n}`,
	last_name: '',
	country: 'Germany',
	...stamps,
}));
const missing = 6;

const answers: Record<string, unknown> = {
	'GET /contacts/list': { contacts },
	'GET /global-unsubscribes': {
		unSubscribers: [{ id: 1, email_address: 'gone@example.com', created_at: stamps.updated_at }],
	},
	'GET /unsubscribes-groups/recipients-list': {
		recipients: [{ id: 1, email_address: 'c5@example.com', created_at: stamps.updated_at }],
	},
	'GET /get/country-state-city': {
		countries: [
			{ id: 85, name: 'Germany' },
			{ id: 15, name: 'Austria' },
		],
		states: [],
		cities: [],
	},
	'GET /contacts/details': { contact: { ...contacts[0], country: '85' } },
};
const writes = [
	'POST /contacts/add',
	'POST /contacts/update',
	'POST /contacts/bulk-delete',
	'POST /unsubscribes-groups/manually-add',
];
const otherType = 22;
const policies = ['delete', 'moveToContactType', 'addToUnsubscribeGroup'] as const;

interface Case {
	call: string;
	answer: Spoilt;
	matchBy: 'email' | 'contactId';
	goesOn: boolean;
	dryRun: boolean;
	missing: (typeof policies)[number];
}

const cases: fc.Arbitrary<Case> = fc.record({
	call: fc.oneof(
		{ arbitrary: fc.constant('GET /contacts/list'), weight: 5 },
		fc.constantFrom(...Object.keys(answers)),
		fc.constantFrom(...writes),
	),
	answer: spoilt,
	matchBy: fc.constantFrom('email', 'contactId'),
	goesOn: fc.boolean(),
	dryRun: fc.oneof({ arbitrary: fc.constant(false), weight: 5 }, fc.constant(true)),
	missing: fc.constantFrom(...policies),
});

/** Known contacts, one of them changed, one that is new. */
const items = [
	...contacts.slice(0, 5).map(({ id, email, first_name }) => ({
		json: { contact_id: id, email, first_name: id === 1 ? 'Changed' : first_name },
	})),
	{ json: { email: 'new@example.com', country: '85', first_name: 'New' } },
];
const named = new Set(items.map(({ json }) => json.email));

type Listed = Partial<Record<'id' | 'contact_type_id' | 'email' | 'deleted_at', unknown>>;

const isNumber = (value: unknown, form: RegExp) =>
	(typeof value === 'number' || typeof value === 'string') && form.test(String(value));

const isBlank = ({ email }: Listed) =>
	email === undefined || email === null || (typeof email === 'string' && email.trim() === '');

const isInOrder = ({ id, contact_type_id: own, email }: Listed) =>
	isNumber(id, /^0*[1-9]\d{0,14}$/) && isNumber(own, /^\d{1,15}$/) && typeof email === 'string';

/** The ids that may be deleted: none where an entry with an address is not in order, or an id stands for two addresses. */
function mayBeDeleted(body: string): Set<number> {
	let answer: { status?: unknown; message?: { contacts?: unknown } } | null;
	try {
		answer = JSON.parse(body) as typeof answer;
	} catch {
		return new Set();
	}
	const list = answer?.status === 'success' ? answer.message?.contacts : undefined;
	if (!Array.isArray(list)) return new Set();
	const isObject = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one);
	if (!list.every(isObject)) return new Set();
	const rows = (list as Listed[]).filter((one) => !isBlank(one) && !one.deleted_at);
	if (!rows.every(isInOrder)) return new Set();
	const idsOf = (ones: Listed[]) => new Set(ones.map(({ id }) => Number(id)));
	const pairs = new Set(
		rows.map(({ id, email }) => JSON.stringify([Number(id), String(email).trim().toLowerCase()])),
	);
	if (pairs.size > idsOf(rows).size) return new Set();
	return idsOf(
		rows.filter(
			({ email, contact_type_id: own, deleted_at: deleted }) =>
				Number(own) === type && !named.has(String(email).trim().toLowerCase()) && !deleted,
		),
	);
}

const valueOf = (body: Received['body'], name: string) =>
	body.find((field) => field.name === name)?.value;

function removedBy(sent: Received[]): number[] {
	return sent.flatMap(({ path, query, body }) => {
		if (path === '/contacts/delete') return query.map(({ value }) => Number(value));
		if (path === '/contacts/bulk-delete') return body.map(({ value }) => Number(value));
		const isMove = valueOf(body, 'contact_type_id') === String(otherType);
		return isMove ? [Number(valueOf(body, 'contact_id'))] : [];
	});
}

function addedToGroupBy(sent: Received[]): string[] {
	return sent.flatMap(({ path, body }) => {
		if (path !== '/unsubscribes-groups/manually-add') return [];
		return String(valueOf(body, 'email_address')).split(',');
	});
}

const parametersOf = (one: Case): IDataObject => ({
	resource: 'contact',
	operation: 'sync',
	contactTypeId: chosen(type),
	fields: { mappingMode: 'autoMapInputData', value: null },
	matchBy: one.matchBy,
	missing: one.missing,
	missingContactTypeId: chosen(otherType),
	missingUnsubscribeGroupId: chosen(52),
	dryRun: one.dryRun,
	options: {
		...once,
		...limits({ maxRemovalPercent: 100 }),
		...removal({ onlyAddedBySync: false, removeAfter: 1 }),
		unsubscribeGroups: [51],
	},
});

async function check(one: Case): Promise<void> {
	let list = '';
	recorder.answer = (raw) => {
		const call = callOf(raw);
		const usual = JSON.stringify({ status: 'success', message: answers[call] ?? 'Done' });
		const reply = call === one.call ? spoiltReply(usual, one.answer) : { body: usual };
		const isRefused = (reply.status ?? 200) >= 300;
		if (call === 'GET /contacts/list') list ||= isRefused ? ' ' : reply.body.toString();
		return reply;
	};

	const outcome = await runNode({
		baseUrl: recorder.baseUrl,
		parameters: parametersOf(one),
		items: items.map(({ json }) => ({ json: json as IDataObject })),
		...(one.goesOn && { node: { onError: 'continueErrorOutput' } }),
	});

	const sent = recorder.take();
	expectNoKeys(outcome);
	const { error, failed, items: told } = outcome;
	if (error !== undefined) {
		if (one.goesOn) throw new Error(`It stopped: ${error.message}`);
		if (!/^Node(?:Api|Operation)Error$/.test(error.name)) throw error;
		expectError(error);
	}
	for (const item of failed) expectFailedItem(item);
	for (const { json } of told) if (json.reason) expectWords(json.reason, 3_000);

	const removed = removedBy(sent);
	const allowed = mayBeDeleted(list);
	expectNone(removed.filter((id) => !allowed.has(id)));
	const added = addedToGroupBy(sent);
	expectNone(added.filter((address) => named.has(address.trim().toLowerCase())));
	if (allowed.size === 0) expectNone(added);
	if (one.dryRun) expectNone(sent.filter(({ method }) => method !== 'GET'));
	// What was refused in bulk is tried once more, one by one.
	for (const id of removed) {
		const times = removed.filter((other) => other === id).length;
		if (times > 2) throw new Error(`${id} was removed ${times} times`);
	}
	if (one.call in answers || error !== undefined || one.dryRun) return;
	const isDone =
		one.missing === 'addToUnsubscribeGroup'
			? added.includes(`c${missing}@example.com`)
			: removed.includes(missing);
	if (!isDone) throw new Error(`${missing} was left: ${JSON.stringify({ removed, added })}`);
}

fuzz('sync', cases, check);
