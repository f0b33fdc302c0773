import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import './operations';
import { key, value } from './arbitraries';
import { expectedOf, type Expected } from './expected';
import type { Part } from '../simulation/form.ts';
import { expectEqual, expectNone } from './equal';
import { fuzz } from './fuzz';
import type { Received } from './recorder';
import { useService, type Golden } from './service';
import { expectError, expectFailedItem, expectNoKeys, expectNodeError, expectWords } from './words';

const service = useService();

const texts = [
	...['first_name', 'last_name', 'state', 'city', 'address_line1', 'address_line2'],
	...['state_province_region', 'postal_code'],
];
const fields = ['email', 'country', ...texts];

const runs = [
	'contact create mapped automatically',
	'contact update mapped automatically',
	'contact upsert',
	'contact sync',
	'contact sync with deletions',
	'segment syncRecipients',
] as const;

/** What a name comes to: case, blanks and signs make no difference. */
const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

const taken = new Set([...fields, 'contact_type_id'].map(letters));

/** Names that mean no field, though some look as if they did. */
const noise = fc
	.oneof(
		key,
		fc.constantFrom(
			...['email\u0000x', 'email\u0000country', 'email\u0000country\u0000first_name', 'e.mail.x'],
			...['email[0]', 'email"; filename="x', 'contact_type', 'contact_type_id[0]', 'strIds[0]'],
			...['fields', 'body', 'query', 'x'.repeat(100_000)],
		),
	)
	.filter((name) => !taken.has(letters(name)));

const known = fc.record(
	{
		email: fc.oneof(
			{ arbitrary: fc.integer({ min: 1, max: 5 }).map((n) => `c${n}@example.com`), weight: 3 },
			{ arbitrary: fc.constantFrom('ada@example.com', 'ADA@example.com '), weight: 1 },
			{ arbitrary: value, weight: 2 },
		),
		country: fc.oneof(fc.constantFrom<unknown>('85', 104, 'Germany'), value),
		...Object.fromEntries(texts.map((name) => [name, value])),
	},
	{ requiredKeys: ['email', 'country'] },
);

/** Few names, so that the names of one item may look like those of another put together. */
const plainItem: fc.Arbitrary<IDataObject> = fc.constantFrom(
	{ email: 'c1@example.com', country: '85' },
	{ 'email\u0000country': 'c2@example.com' },
	{ email: 'c3@example.com', country: 104, first_name: 'Ann' },
	{ 'email\u0000country\u0000first_name': 1 },
);

/** An object of which every name is its own, `__proto__` too. */
const oddItem: fc.Arbitrary<IDataObject> = fc
	.tuple(known, fc.array(fc.tuple(noise, value), { maxLength: 3 }), fc.boolean())
	.map(([record, others, isFirst]) => {
		const entries = Object.entries(record).filter(([, given]) => given !== undefined);
		const all = isFirst ? [...others, ...entries] : [...entries, ...others];
		return Object.fromEntries(all) as IDataObject;
	});

const cases = fc.record({
	run: fc.constantFrom(...runs),
	items: fc.array(fc.oneof({ arbitrary: oddItem, weight: 3 }, plainItem), {
		minLength: 1,
		maxLength: 4,
	}),
	goesOn: fc.boolean(),
});

type Values = Record<string, string>;

const valuesOf = (parts: Part[]): Values =>
	Object.fromEntries(parts.map((part) => [part.name, part.value]));

/** What the service has of the contact that is updated. */
function keptOf({ answers, operation }: Golden): IDataObject {
	if (operation !== 'update') return {};
	const answer = JSON.parse(answers.get('GET /contacts/details') ?? '') as IDataObject;
	return (answer.message as IDataObject).contact as IDataObject;
}

/** The text of a contact is sent without halves of characters. */
const whole = (given: unknown): unknown =>
	typeof given === 'string' && !given.isWellFormed() ? given.replace(/\p{Cs}/gu, '').trim() : given;

/** What a contact is to be sent with, or that it is to be refused; undefined where either may be. */
function wantedOf(golden: Golden, json: IDataObject): Values | 'refused' | undefined {
	const endpoint = golden.row?.endpoint;
	const own = golden.sent.at(-1)?.body ?? [];
	const kept = keptOf(golden);
	const wanted: Values = Object.fromEntries(
		own.filter(({ name }) => !fields.includes(name)).map((part) => [part.name, part.value]),
	);
	let isOpen = false;
	for (const name of fields) {
		const required = name === 'email' || name === 'country';
		const type = name === 'email' ? 'email' : name === 'country' ? 'integer' : 'string';
		const field = { place: 'body' as const, name, type, required: required && !kept[name] };
		const expected: Expected = endpoint
			? expectedOf(type === 'string' ? whole(json[name]) : json[name], field, endpoint)
			: { refused: 'either' };
		if (expected.refused === 'yes') return 'refused';
		isOpen ||= expected.refused === 'either';
		const [sent] = expected.sends ?? [];
		if (sent !== undefined) wanted[name] = sent;
		else if (kept[name]) wanted[name] = String(kept[name]);
		isOpen ||= expected.sends === undefined;
	}
	return isOpen ? undefined : wanted;
}

function expectRequests(
	golden: Golden,
	items: IDataObject[],
	own: Received[],
	notSent: Set<number>,
) {
	const passed = items.filter((_, index) => !notSent.has(index));
	expectEqual(own.length, passed.length);
	const wanted = passed.map((json) => wantedOf(golden, json));
	if (wanted.includes('refused')) throw new Error('What has to be refused was sent');
	if (wanted.includes(undefined)) return;
	const shown = (values: Values) =>
		JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
	expectEqual(
		own.map(({ body }) => shown(valuesOf(body))).sort(),
		wanted.map((values) => shown(values as Values)).sort(),
	);
}

/** As sync reads a value: trimmed, and nothing for what is no text. */
function readText(given: unknown): string {
	if (typeof given === 'string') return Buffer.from(given.trim()).toString();
	return typeof given === 'number' || typeof given === 'boolean' ? String(given) : '';
}

const contact = {
	...{ first_name: 'Ada', last_name: 'Okafor', state: 'Berlin', city: 'Berlin' },
	...{ address_line1: '1 Harbour Street', address_line2: 'Second floor' },
	...{ state_province_region: 'Berlin', postal_code: '10115' },
};

const isFine = ({ email, country, ...rest }: IDataObject) =>
	typeof email === 'string' &&
	/^c\d@example\.com$/.test(email) &&
	['85', 104].includes(country as string) &&
	texts.every((name) => ['string', 'undefined'].includes(typeof rest[name]));

/** Fails if an item that is in order failed, be the others as they may. */
function expectFineOnes(items: IDataObject[], told: INodeExecutionData[]): void {
	items.forEach((json, index) => {
		const row = told.find(({ pairedItem }) => (pairedItem as { item: number }).item === index);
		if (!isFine(json) || (row !== undefined && row.json.action !== 'failed')) return;
		throw new Error(`Item ${index} failed: ${JSON.stringify(row?.json)}`);
	});
}

/** Fails unless each write of a run over all items has what its item says, and nothing else. */
function expectWrites(items: IDataObject[], sent: Received[], told: INodeExecutionData[]): void {
	const writes = sent.filter(({ method }) => method !== 'GET');
	const rows = told.map(({ json }) => json);
	const done = rows.filter(({ action }) =>
		['created', 'updated', 'added'].includes(String(action)),
	);
	const emails = writes.flatMap(({ body }) => {
		const { email, email_address } = valuesOf(body);
		return (email ?? email_address ?? '').split(',');
	});
	expectEqual(emails.sort(), done.map(({ email }) => Buffer.from(String(email)).toString()).sort());
	for (const { path, body } of writes) {
		const sentValues = valuesOf(body);
		const isUpdate = path === '/contacts/update';
		if (sentValues.email === undefined) continue;
		const own = items.filter(
			({ email }) => readText(email).toLowerCase() === sentValues.email?.toLowerCase(),
		);
		const fits = own.some((json) =>
			texts.every((name) => {
				const given = readText(whole(json[name]));
				const before = isUpdate ? contact[name as keyof typeof contact] : '';
				return [given || before, before].includes(sentValues[name] ?? '');
			}),
		);
		if (!fits) throw new Error(`Not what an item says: ${JSON.stringify(sentValues)}`);
	}
}

async function check({
	run,
	items,
	goesOn,
}: typeof cases extends fc.Arbitrary<infer C> ? C : never) {
	const golden = service.golden.find(({ name }) => name === run) as Golden;
	service.answerAs(golden);
	const input = items.map((json) => ({ json }));
	const node = goesOn ? { onError: 'continueErrorOutput' as const } : {};

	const outcome = await service.run(golden.parameters, input, node);

	const sent = service.recorder.take();
	expectNoKeys(outcome);
	const { error, failed, items: told } = outcome;
	expectNone(sent.filter(({ path }) => path.includes('delete')));
	for (const one of failed) expectFailedItem(one);
	for (const { json } of told) if (json.reason) expectWords(json.reason, 1_000);
	if (golden.row?.endpoint === undefined) {
		if (error !== undefined) expectError(error);
		else {
			expectWrites(items, sent, told);
			if (!/segment|deletions/.test(golden.name)) expectFineOnes(items, told);
		}
		return;
	}
	const own = sent.filter(({ method }) => method === 'POST');
	if (error !== undefined) {
		expectNodeError(error, items.length);
		expectNone(own);
		return;
	}
	const itemsOf = (output: INodeExecutionData[]) =>
		output.map(({ pairedItem }) => (pairedItem as { item: number }).item);
	const refused = new Set(itemsOf(failed));
	const unchanged = itemsOf(told.filter(({ json }) => json.updated === false));
	const wantedOfNothing = wantedOf(golden, {});
	for (const index of unchanged) expectEqual(wantedOf(golden, items[index] ?? {}), wantedOfNothing);
	items.forEach((json, index) => {
		const wanted = wantedOf(golden, json);
		if (refused.has(index) && wanted !== undefined && wanted !== 'refused') {
			throw new Error(`Item ${index} was refused: ${JSON.stringify(failed)}`);
		}
	});
	expectRequests(golden, items, own, new Set([...refused, ...unchanged]));
}

fuzz('mapper', cases, check);
