import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, IPairedItemData } from 'n8n-workflow';

import { idsField } from '../../nodes/EmailMarketing/run/bulkDelete';
import { byEmail, isBulkDelete, slotsOf, withValue, type Slot } from './operations';
import { exotic, text, value } from './arbitraries';
import { expectedOf, type Expected } from './expected';
import type { Part } from '../simulation/form.ts';
import { expectEqual, expectNone } from './equal';
import { fuzz } from './fuzz';
import type { Received } from './recorder';
import { asRequested, useService, type Golden } from './service';
import { expectError, expectFailedItem, expectNoKeys, expectNodeError } from './words';

const service = useService();

interface Case {
	/** Which run and which of its parameters. */
	at: number;
	values: unknown[];
	/** An expression in place of the values. */
	expression?: string;
	/** A value that stands in the parameter itself, without an expression. */
	fixed?: string;
	/** Whether the other items go on when one fails. */
	goesOn: boolean;
	/** Whether a record is given in place of the choice of a record. */
	bare: boolean;
}

const cases: fc.Arbitrary<Case> = fc.record(
	{
		at: fc.nat(1_000_000),
		values: fc.array(value, { minLength: 1, maxLength: 5 }),
		expression: exotic,
		fixed: text.filter((given) => !given.startsWith('=')),
		goesOn: fc.boolean(),
		bare: fc.boolean(),
	},
	{ requiredKeys: ['at', 'values', 'goesOn', 'bare'] },
);

interface Place {
	golden: Golden;
	slot: Slot;
}

let places: Place[] | undefined;

function placeOf({ at }: Case): Place {
	places ??= service.golden.flatMap((golden) => slotsOf(golden).map((slot) => ({ golden, slot })));
	return places[at % places.length] as Place;
}

/** What an exotic parameter may change besides its own field. */
const companions: Record<string, RegExp> = {
	template_id: /^(?:template_|preview_img)/,
	schedule_type: /^schedule_/,
};
const loose: Array<[path: RegExp, changes: RegExp]> = [
	// A template brings its preview image along, and has to be there.
	[/template(?:Source|Id)$/, /^(?:template_|preview_img)/],
	[/schedule(?:At|Type)$|timezone|timeFormat/, /^schedule_/],
	[/clearFields/, /./],
	[/country$/i, /^country$/],
	[/binaryPropertyName/, /^file$/],
	[/^updateFields$/, /./],
	[/updateFields\.template/, /^template_/],
];

const indexOf = (name: string) => name.replace(/\[\d+\]$/, '');

/** The parts with the field as it is expected. */
function withField(parts: Part[], name: string, sends: string[], isList: boolean): Part[] {
	const first = parts.findIndex((part) => indexOf(part.name) === name);
	const others = parts.filter((part) => indexOf(part.name) !== name);
	const own = sends.map((text, index) => ({
		name: isList ? `${name}[${index}]` : name,
		value: text,
	}));
	return [...others.slice(0, Math.max(0, first)), ...own, ...others.slice(Math.max(0, first))];
}

const sorted = (parts: Part[]) =>
	[...parts].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

const textOf = ({ method, path, query, body }: Received): string =>
	JSON.stringify([method, path, sorted(query), sorted(body)]);

/** The request that carries the operation out; the others only look. */
function ownRequests(golden: Golden, sent: Received[]): Received[] {
	const endpoint = golden.row?.endpoint;
	return sent.filter(({ method, path }) => method === endpoint?.method && path === endpoint.path);
}

function expectedRequest(golden: Golden, slot: Slot, sends: string[]): string {
	const [own] = ownRequests(golden, golden.sent);
	if (own === undefined || slot.field === undefined) throw new Error('There is no request');
	const { place, name, type } = slot.field;
	const isList = ['integers', 'ids or utrs', 'recipients'].includes(type);
	return textOf({ ...own, [place]: withField(own[place], name, sends, isList) });
}

/** Fails unless the request is that of the golden run but for the fields that may differ. */
function expectAlmost(golden: Golden, slot: Slot, request: Received): void {
	const [own] = ownRequests(golden, golden.sent);
	const name = slot.field?.name ?? '';
	const mayChange =
		loose.find(([path]) => path.test(slot.path))?.[1] ??
		companions[name] ??
		new RegExp(`^${name}$`);
	const rest = (parts: Part[] = []) => parts.filter((part) => !mayChange.test(indexOf(part.name)));
	expectEqual(
		textOf({ ...request, query: rest(request.query), body: rest(request.body) }),
		textOf({ ...(own as Received), query: rest(own?.query), body: rest(own?.body) }),
	);
}

/** Fails unless the ids of all items went out, none twice in a request, and no others. */
function expectGathered(
	{ golden, slot }: Place,
	own: Received[],
	wanted: Array<Expected | undefined>,
	passed: number[],
): void {
	const idsOf = (requests: Received[]) =>
		requests.map(({ body }) => body.map(({ value }) => value));
	for (const ids of idsOf(own)) expectEqual(ids, [...new Set(ids)]);
	const usual = idsOf(ownRequests(golden, golden.sent)).flat();
	const isOwn = slot.field?.name === idsField;
	const expected = passed.map((item) => (isOwn ? wanted[item]?.sends : usual));
	const distinct = (ids: unknown[]) => [...new Set(ids)].sort();
	if (expected.includes(undefined)) return;
	expectEqual(distinct(idsOf(own).flat()), distinct(expected.flat()));
}

function parametersOf({ golden, slot }: Place, one: Case): IDataObject {
	const given = one.fixed ?? one.expression ?? '={{ $json.v }}';
	const wrapped =
		slot.isLocator && !one.bare
			? { __rl: true, mode: slot.field?.name === 'utr' ? 'utr' : 'id', value: given }
			: given;
	return withValue(golden.parameters, slot.path, wrapped);
}

/** What has to become of each item; undefined where that is not known beforehand. */
function expectations(
	{ golden, slot }: Place,
	one: Case,
	values: unknown[],
): Array<Expected | undefined> {
	const { field } = slot;
	const endpoint = golden.row?.endpoint;
	// An ID that is not in the list is refused where the list belongs to a segment or group.
	const isChecked = golden.name.endsWith('checked') || golden.name.endsWith(byEmail);
	const isLoose = isChecked || loose.some(([path]) => path.test(slot.path));
	if (field === undefined || endpoint === undefined || one.expression !== undefined || isLoose) {
		return values.map(() => undefined);
	}
	const wanted = values.map((given) => expectedOf(given, field, endpoint));
	// What an update is not given it keeps.
	const keeps = /^updateFields\./.test(slot.path) || golden.name.startsWith('contact update');
	const isOpen = ({ sends, refused }: Expected) => sends?.length === 0 || refused === 'yes';
	return keeps ? wanted.map((one) => (isOpen(one) ? undefined : one)) : wanted;
}

/** What n8n itself sees in the parameters of a node keeps the whole workflow from running. */
function heldBackByN8n(error: Error): undefined {
	if (error.name !== 'WorkflowHasIssuesError') throw error;
}

const SENT_ONCE = [
	...['singleSend create', 'globalUnsubscribe add', 'segment addRecipient'],
	...['notificationRecipient create', 'unsubscribeGroup addRecipient', 'automation setLive'],
	'sender create',
];

async function check(one: Case): Promise<void> {
	const place = placeOf(one);
	const { golden, slot } = place;
	const given = one.fixed === undefined ? one.values : [one.fixed];
	// Of several items with one name, address or automation, only the first would be sent.
	const values = SENT_ONCE.some((name) => golden.name.startsWith(name)) ? given.slice(0, 1) : given;
	const items = values.map((v) => ({
		...golden.item,
		json: v === undefined ? { ...golden.item.json } : { ...golden.item.json, v: v as IDataObject },
	}));
	service.answerAs(golden, (_call, reply, raw) => asRequested(reply, raw));

	const node = one.goesOn ? { onError: 'continueErrorOutput' as const } : {};
	const outcome = await service.run(parametersOf(place, one), items, node).catch(heldBackByN8n);

	const sent = service.recorder.take();
	if (outcome === undefined) {
		expectNone(sent);
		return;
	}
	expectNoKeys(outcome);
	const { error, failed } = outcome;
	if (one.goesOn && error !== undefined) throw new Error(`It stopped: ${error.message}`);
	const isCustom = golden.row?.endpoint === undefined;
	if (isCustom) {
		if (error !== undefined) expectError(error);
		expectNone(sent.filter(({ path }) => /delete/.test(path)));
		return;
	}
	const own = ownRequests(golden, sent);
	if (error !== undefined) expectNodeError(error, items.length);
	for (const item of failed) expectFailedItem(item);
	if (error !== undefined) expectNone(own);
	const wanted = expectations(place, one, values);
	const failedItems = new Set(failed.map(itemOf));
	const isRefused = (item: number) => (error === undefined ? failedItems.has(item) : undefined);
	wanted.forEach((expected, item) => {
		const told = isRefused(item);
		if (told === undefined || expected === undefined) return;
		if (expected.refused === 'yes' && !told) throw new Error(`Item ${item} was taken`);
		if (expected.refused === 'no' && told) {
			throw new Error(`Item ${item} was refused: ${JSON.stringify(failed)}`);
		}
	});
	if (error !== undefined) {
		if (wanted.every((expected) => expected?.refused === 'no')) {
			throw new Error(`All is in order, and yet: ${error.message}`);
		}
		return;
	}
	if (!one.goesOn && wanted.some((expected) => expected?.refused === 'yes')) {
		throw new Error('Something is wrong, and it was carried out');
	}
	// An update that sets nothing is not sent.
	const unchanged = outcome.items.filter(({ json }) => json.updated === false);
	const notSent = new Set([...failedItems, ...unchanged.map(itemOf)]);
	const passed = items.map((_, item) => item).filter((item) => !notSent.has(item));
	if (isBulkDelete(golden.row)) {
		expectGathered(place, own, wanted, passed);
		return;
	}
	expectEqual(own.length, passed.length);
	if (wanted.every((expected) => expected?.sends !== undefined || expected?.refused === 'yes')) {
		expectEqual(
			own.map(textOf).sort(),
			passed.map((item) => expectedRequest(golden, slot, wanted[item]?.sends ?? [])).sort(),
		);
	} else {
		for (const request of own) expectAlmost(golden, slot, request);
	}
}

const itemOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as IPairedItemData).item;

fuzz('inputs', cases, check, (one) => {
	const { golden, slot } = placeOf(one);
	return `${golden.name}, ${slot.path}`;
});
