import { isDeepStrictEqual } from 'node:util';
import { countryWithId } from '../../sandbox/data/locations.ts';
import type { Contact } from '../../sandbox/model.ts';
import type { Service } from '../service.ts';
import type { Person, Source } from '../source.ts';
import { OTHER_TYPE, SYNCED_TYPE } from '../workflows.ts';
import { lost, wrong, type Finding } from './finding.ts';
import type { Overlaps } from './overlaps.ts';
import type { Write } from './write.ts';

type Mapped = 'first_name' | 'last_name' | 'city' | 'postal_code';
const MAPPED: Mapped[] = ['first_name', 'last_name', 'city', 'postal_code'];

/** What is in the service at the end, held against the last state of the other system. */
export function checkContacts(
	contacts: Contact[],
	source: Source,
	service: Service,
	writes: Write[],
	overlaps: Overlaps,
): Finding[] {
	const synced = contacts.filter(({ contact_type_id }) => contact_type_id === SYNCED_TYPE);
	const byEmail = Map.groupBy(synced, ({ email }) => email.toLowerCase());
	// No sync writes to them until somebody has deleted one.
	const isExcused = (email: string) =>
		(byEmail.get(email)?.length ?? 0) > 1 && overlaps.excuse(email) !== undefined;
	const others = contacts.filter(({ contact_type_id }) => contact_type_id === OTHER_TYPE);
	return [
		...[...byEmail.values()]
			.filter((same) => same.length > 1)
			.map((same) => overlaps.duplicate(same[0]?.email.toLowerCase() ?? '', same.length)),
		...[...source.people.values()]
			.filter(({ email }) => !service.unsubscribed.has(email) && !isExcused(email))
			.flatMap((person) => checkPerson(person, byEmail.get(person.email)?.[0])),
		...synced
			.filter(({ email }) => !source.people.has(email) && !service.unsubscribed.has(email))
			.filter(({ email }) => !isExcused(email.toLowerCase()))
			.map(({ email }) => lost(`${email} is gone from the other system, and still there`)),
		...kept(synced, service),
		...filled(synced, writes, service),
		...untouched(others, service.others),
	];
}

function checkPerson(person: Person, contact: Contact | undefined): Finding[] {
	if (!contact) return [lost(`${person.email} is not in the service`)];
	const has = { ...contact, country: countryWithId(contact.country)?.name };
	return (['country', ...MAPPED] as const)
		.filter((field) => (person[field] ?? '') !== '' && has[field] !== person[field])
		.map((field) =>
			lost(`${field} of ${person.email} is "${has[field]}" in place of "${person[field]}"`),
		);
}

/** No workflow writes to the contacts of the other contact type. */
function untouched(now: Contact[], before: Contact[]): Finding[] {
	const was = new Map(before.map((contact) => [contact.id, contact]));
	const is = new Map(now.map((contact) => [contact.id, contact]));
	return [...new Map([...was, ...is]).values()]
		.filter(({ id }) => !isDeepStrictEqual(was.get(id), is.get(id)))
		.map(({ id, email }) => {
			const what = !is.has(id) ? 'gone' : was.has(id) ? 'changed' : 'new';
			return wrong(`${email}, contact ${id} of the other contact type, is ${what}`);
		});
}

/** What only the service knows of a contact stays as it is. */
function kept(synced: Contact[], { seeded, altEmails }: Service): Finding[] {
	const before = new Map(seeded.map((contact) => [contact.id, contact]));
	return synced.flatMap((contact) => {
		const { id, email } = contact;
		const first = before.get(id);
		const alt = altEmails.get(id);
		return [
			...(['address_line2', 'state_province_region'] as const)
				.filter((field) => first !== undefined && first[field] !== contact[field])
				.map((field) => wrong(`${field} of ${email} has changed to "${contact[field]}"`)),
			...(alt === undefined || alt === contact.alt_email
				? []
				: [wrong(`the alternative address of ${email} has changed`)]),
		];
	});
}

/** A field that ever had a value has one at the end. */
function filled(synced: Contact[], writes: Write[], { seeded }: Service): Finding[] {
	const had = new Map<number, Set<Mapped>>();
	const note = (id: number, fields: Partial<Record<Mapped, string>>) => {
		const names = had.get(id) ?? new Set();
		for (const name of MAPPED) if ((fields[name] ?? '') !== '') names.add(name);
		had.set(id, names);
	};
	for (const contact of seeded) note(contact.id, contact);
	for (const { ids, body, carriedOut } of writes)
		if (carriedOut) for (const id of ids) note(id, body);
	return synced.flatMap((contact) =>
		[...(had.get(contact.id) ?? [])]
			.filter((name) => contact[name] === '')
			.map((name) => wrong(`${name} of ${contact.email} was blanked`)),
	);
}
