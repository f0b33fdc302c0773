import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';

import type { Contact } from '../../sandbox/model.ts';
import { isAsSaid, lastOfEach } from './contacts.ts';
import type { Duplicates } from './duplicates.ts';
import type { Evidence, Finding, Promises } from './evidence.ts';
import { addressOf, rowsOfItems, writeIn, type Run } from './executions.ts';
import type { Kept } from './kept.ts';
import { listedAddress, LISTS, type Listed, type ListTable } from './subjects.ts';

/** Who is on a list in the end. */
function listed({ last }: Evidence, list: string): Listed[] {
	const rows = (Object.keys(LISTS) as ListTable[]).flatMap((table) =>
		(last[table] as unknown as Listed[]).filter((row) => LISTS[table](row) === list),
	);
	return rows.filter(({ deleted_at }) => !deleted_at);
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Why somebody whom two runs added at the same time may still be there twice. */
function excuse(runs: readonly Run[], email: string): string | undefined {
	for (const { id, isSaved, rows } of runs) {
		if (!isSaved) return `run ${id} was killed before it could remove duplicates`;
		const row = rows.find((one) => addressOf(one.email) === email && one.action === 'created');
		const reason = String(row?.reason ?? 'new');
		if (reason !== 'new') return `run ${id} says of it: ${reason}`;
	}
	return undefined;
}

/** In the end, the service has what the input says, and nobody twice. */
function checkResult(
	evidence: Evidence,
	kept: Kept,
	{ inTwoFiles, doubledByHand, atOnce }: Duplicates,
): Finding[] {
	const { list, runs, compares, settlesAt, removal, contacts } = kept;
	const { suppressing } = evidence.promises;
	const run = runs.findLast(({ isSaved }) => isSaved);
	const settled = new Map(settlesAt?.map((item) => [addressOf(item.email), item]));
	const there = Map.groupBy(listed(evidence, list), listedAddress);
	const suppressed = new Set(suppressing.flatMap((of) => listed(evidence, of).map(listedAddress)));
	const findings: Finding[] = [];
	const excused = new Set<string>();
	for (const [email, { length }] of there) {
		const key = `${list} ${email}`;
		// People may put themselves on a list of unsubscribes.
		if (length === 1 || inTwoFiles.has(key) || suppressing.includes(list)) continue;
		if (doubledByHand.has(key)) {
			excused.add(email);
			continue;
		}
		const ids = atOnce.get(key) ?? [];
		const expected = excuse(
			runs.filter(({ id }) => ids.includes(id)),
			email,
		);
		const what = `${email} is on ${list} ${length} times`;
		findings.push({ promise: 'Nobody is added twice', what, ...(expected && { expected }) });
		// No sync writes to them until somebody has deleted one.
		if (expected) excused.add(email);
	}
	const isAdded = ({ row }: { row: IDataObject }) => row.action === 'added';
	const promised: Array<[email: string, item: IDataObject]> = settlesAt
		? [...settled].filter(([email]) => !suppressed.has(email))
		: (run ? [...lastOfEach(rowsOfItems(run)), ...rowsOfItems(run).filter(isAdded)] : []).map(
				({ row, item }) => [addressOf(row.email), item],
			);
	const no = (what: string) =>
		findings.push({ promise: 'In the end, the service has what the input says', what });
	for (const [email, item] of promised) {
		const [contact] = there.get(email) ?? [];
		if (excused.has(email)) continue;
		if (!contact) no(`${email} is not on ${list}`);
		else if (!inTwoFiles.has(`${list} ${email}`)) {
			for (const field of compares) {
				if (isAsSaid(contact as IDataObject, item, field, contacts?.emptyValues)) continue;
				no(`${field} of ${email} is "${contact[field]}" instead of "${item[field]}"`);
			}
		}
	}
	const isGone = settlesAt && removal.missing === 'delete' && !removal.onlyAddedBySync;
	for (const email of isGone ? there.keys() : []) {
		if (settled.has(email) || suppressed.has(email) || excused.has(email)) continue;
		no(`${email} is still on ${list}`);
	}
	return findings;
}

/** Fields that no workflow writes, and those that it may only fill. */
const OWN = ['address_line2', 'state_province_region', 'alt_email'] as const;
const FILLED = ['first_name', 'last_name', 'city', 'postal_code'] as const;

/** Whether empty cells empty fields. */
const isBlanking = ({ lists }: Promises) =>
	lists.some(({ contacts }) => contacts?.emptyValues === 'clear');

/** What only the service knows of a contact stays, and a field that ever had a value has one in the end. */
function checkFields({ entries, first, last, promises }: Evidence): Finding[] {
	const filled = isBlanking(promises) ? [] : FILLED;
	const known = new Map<number, IDataObject>();
	const note = (id: number, fields: IDataObject) => {
		const values = Object.entries(fields).filter(([, value]) => !isEmpty(value));
		known.set(id, { ...known.get(id), ...Object.fromEntries(values) });
	};
	for (const contact of first.contacts) note(contact.id, contact as unknown as IDataObject);
	for (const entry of entries) {
		const { data = {} } = entry;
		if (data.change === 'edited') note(Number(data.id), data);
		const { kind, ids = [], body = {} } = writeIn(entry) ?? {};
		if (kind === 'add' || kind === 'update') for (const id of ids) note(id, body);
	}
	const before = new Map(first.contacts.map((contact) => [contact.id, contact]));
	return last.contacts.flatMap((contact) => {
		const { id, email } = contact;
		const had = known.get(id) ?? {};
		const own = { ...before.get(id), ...had };
		return [
			...OWN.filter((field) => field in own && contact[field] !== own[field]).map((field) => ({
				promise: 'What only the service knows stays',
				what: `${field} of ${email} has changed to "${contact[field]}"`,
			})),
			...filled
				.filter((field) => !isEmpty(had[field]) && isEmpty(contact[field]))
				.map((field) => ({
					promise: 'No field is blanked',
					what: `${field} of ${email}`,
				})),
		];
	});
}

/** No request writes a blank field or a contact that is nobody's. */
function checkRequests({ entries, promises }: Evidence): Finding[] {
	const writes = entries.filter(
		({ op, type }) => type === 'invoke' && /^POST \/contacts\/(add|update)$/.test(op),
	);
	const mayBlank = isBlanking(promises);
	return writes.flatMap(({ op, id, data = {} }) => {
		const fields = Object.entries(Object(data.body) as IDataObject);
		const blank = mayBlank ? [] : fields.filter(([, value]) => String(value).trim() === '');
		const list = `contacts ${Number((data.body as IDataObject).contact_type_id)}`;
		return [
			...blank.map(([name]) => ({
				promise: 'No field is blanked',
				what: `${name} by ${op} ${id}`,
			})),
			...(promises.untouched.includes(list)
				? [{ promise: 'Nothing else is written', what: `${op} ${id} to ${list}` }]
				: []),
		];
	});
}

/** Contacts of types that no workflow writes to stay as they are. */
function checkUntouched({ entries, first, last, promises }: Evidence): Finding[] {
	const of = (contacts: Contact[]) =>
		new Map(
			contacts
				.filter((row) => promises.untouched.includes(`contacts ${row.contact_type_id}`))
				.map((row) => [row.id, row]),
		);
	const [was, is] = [of(first.contacts), of(last.contacts)];
	const byHand = new Set(
		entries.flatMap(({ data }) =>
			['edited', 'movedByHand'].includes(String(data?.change)) ? [data?.id] : [],
		),
	);
	return [...new Map([...was, ...is]).values()]
		.filter(({ id }) => !byHand.has(id) && !isDeepStrictEqual(was.get(id), is.get(id)))
		.map(({ id, email, contact_type_id: type }) => {
			const change = !is.has(id) ? 'gone' : was.has(id) ? 'changed' : 'new';
			const what = `${email}, contact ${id} of type ${type}, is ${change}`;
			return { promise: 'Nothing else is written', what };
		});
}

/** What is in the service in the end. */
export const checkContents = (
	evidence: Evidence,
	lists: readonly Kept[],
	duplicates: Duplicates,
): Finding[] => [
	...lists.flatMap((kept) => checkResult(evidence, kept, duplicates)),
	...checkFields(evidence),
	...checkRequests(evidence),
	...checkUntouched(evidence),
];
