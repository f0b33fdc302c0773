import { countryWithCode } from '../data/locations.ts';
import { randomFrom } from '../format.ts';
import type { Contact, Field } from '../model.ts';
import type { Tables } from '../store.ts';
import { DAY } from './content.ts';

const PEOPLE = [
	'Ada Okafor US',
	'Ben Carter US',
	'Carla Mendes PT',
	'Dev Patel IN',
	'Elena Petrova BG',
	'Finn Larsen DK',
	'Grace Kim KR',
	'Hugo Lambert FR',
	'Isha Sharma IN',
	'Jonas Weber DE',
	'Kaito Mori JP',
	'Lena Fischer DE',
	'Mateo Garcia ES',
	'Nadia Haddad LB',
	"Owen O'Neill IE",
	'Priya Nair IN',
	'Quinn Taylor CA',
	'Rosa Bianchi IT',
	'Sven Lindqvist SE',
	'Tara Singh IN',
	'Uma Reddy IN',
	'Viktor Novak CZ',
	'Wendy Brooks US',
	'Ximena Torres MX',
	'Yusuf Demir TR',
	'Zoë Müller CH',
	'Aaron Blake US',
	'Beatriz Costa BR',
	'Chloé Dubois FR',
	'Daniel Evans GB',
	'Emma Jansen NL',
	'Farid Rahimi DE',
	'Greta Nilsen NO',
	'Harry Cooper AU',
	'Ines Ferreira PT',
	'Jack Murphy IE',
	'Klara Horvat HR',
	'Liam Walker NZ',
	'Mina Park KR',
	'Noah Schmidt AT',
];

const STREETS = ['Harbour Street', 'Mill Lane', 'Station Road', 'Park Avenue'];
const HOMES: Record<string, [state: string, city: string]> = {
	US: ['Oregon', 'Portland'],
	IN: ['Karnataka', 'Bengaluru'],
	DE: ['Berlin', 'Berlin'],
	CA: ['Ontario', 'Toronto'],
};

const addressOf = (first: string, last: string): string =>
	`${first}.${last}@example.com`
		.normalize('NFD')
		.replace(/[^\x21-\x7e]|'/g, '')
		.toLowerCase();

function person(index: number, random: () => number, fields: Field[]): Partial<Contact> {
	const [first_name = '', last_name = '', code = 'US'] = (PEOPLE[index] ?? '').split(' ');
	const [state, city] = HOMES[code] ?? ['', ''];
	const details = random() < 0.6;
	const consent = index % 8 === 0 ? 'yes' : 'no';
	const values = [`${last_name} & Co`, String(1 + Math.floor(random() * 20)), null, consent];
	return {
		first_name,
		last_name,
		email: addressOf(first_name, last_name),
		alt_email: random() < 0.2 ? addressOf(last_name, first_name) : null,
		country: countryWithCode(code).id,
		state,
		city,
		address_line1: details ? `${index + 1} ${STREETS[index % STREETS.length]}` : '',
		address_line2: details && index % 3 === 0 ? 'Second floor' : '',
		state_province_region: details ? state : '',
		postal_code: details ? String(10000 + Math.floor(random() * 89999)) : '',
		custom_field:
			index % 4 === 0
				? Object.fromEntries(
						fields.map(({ id, field_name }, position) => [
							`field_${id}`,
							{ field_name, field_value: values[position] ?? null },
						]),
					)
				: null,
	};
}

/** Contact types, contacts, segments and everyone who does not want mail. */
export function demoAudience(tables: Tables, now: number): void {
	const random = randomFrom(2024);
	const types = ['Customers', 'Newsletter subscribers', 'Wholesale partners'].map((name, index) =>
		tables.contactTypes.add({ name }, now - (180 - index) * DAY),
	);
	const fields = tables.customFields.all();
	PEOPLE.forEach((_name, index) => {
		const type = types[index % 8 === 7 ? 2 : index % 2];
		const at = now - (170 - index * 4) * DAY - Math.floor(random() * DAY);
		const contact_type_id = type?.id ?? 0;
		tables.contacts.add({ ...person(index, random, fields), contact_type_id }, at);
	});
	addSegments(tables, now, types[0]?.id ?? 0, types[1]?.id ?? 0);
	addUnsubscribes(tables, now);
}

function addSegments(tables: Tables, now: number, customers: number, subscribers: number): void {
	const joined = String(tables.reservedFields.all().find((f) => f.field_name === 'created_at')?.id);
	const recent = tables.segments.add(
		{
			contact_type_id: customers,
			segment_name: 'Recent customers',
			select_field: [joined],
			select_operator: ['is after'],
			value: ['2024-01-01'],
		},
		now - 90 * DAY,
	);
	const spring = tables.segments.add(
		{
			contact_type_id: subscribers,
			segment_name: 'Spring subscribers',
			select_field: [joined],
			select_operator: ['is between'],
			value: ['2024-03-01', '2024-05-31'],
		},
		now - 80 * DAY,
	);
	for (const [segment, type, count] of [
		[recent, customers, 8],
		[spring, subscribers, 5],
	] as const) {
		const members = tables.contacts.all().filter((contact) => contact.contact_type_id === type);
		for (const { id, first_name, last_name, email } of members.slice(0, count)) {
			const row = { segment_id: segment.id, contact_id: id, first_name, last_name, email };
			tables.segmentRecipients.add(row, now - 70 * DAY);
		}
	}
}

function addUnsubscribes(tables: Tables, now: number): void {
	const groups = [
		['Offers', 'Discounts and special offers', 1],
		['Product news', 'New coffees and equipment', 0],
	] as const;
	const [offers, news] = groups.map(([group_name, description, is_display]) =>
		tables.unsubscribeGroups.add({ group_name, description, is_display }, now - 160 * DAY),
	);
	for (const [group, addresses] of [
		[offers, ['ben.carter@example.com', 'lena.fischer@example.com', 'left.us@example.org']],
		[news, ['hugo.lambert@example.com']],
	] as const) {
		for (const email_address of addresses) {
			const row = { unsubscribe_groups_id: group?.id ?? null, email_address };
			tables.groupRecipients.add(row, now - 60 * DAY);
		}
	}
	const addresses = [
		'sven.lindqvist',
		'uma.reddy',
		'no.more',
		'old.account',
		'spam.trap',
		'moved.on',
	];
	addresses.forEach((name, index) => {
		const email_address = `${name}@example.com`;
		tables.globalUnsubscribes.add({ email_address }, now - (50 - index * 5) * DAY);
	});
}
