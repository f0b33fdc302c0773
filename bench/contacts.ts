// The contacts of all works.
import type { Service } from './stage.ts';

export const CONTACT_TYPE = 21;
export const COUNTRY = 85;
/** Contacts are numbered from here on. */
export const FIRST_ID = 2_000_001;

export const person = (n: number) => ({
	email: `person${n}@example.com`,
	country: String(COUNTRY),
	first_name: `Ann ${n}`,
	last_name: 'Example',
	city: 'Köln',
});

/** Empties the service but for one contact type with this many contacts. */
export async function resetContacts(service: Service, count: number): Promise<void> {
	await service.reset();
	await service.add('contactTypes', { id: CONTACT_TYPE, name: 'Customers' });
	const chunk = 20_000;
	for (let start = 0; start < count; start += chunk) {
		const numbers = Array.from({ length: Math.min(chunk, count - start) }, (_, n) => start + n);
		await service.control('POST', '/seed', {
			contacts: numbers.map((n) => ({
				...person(n),
				id: FIRST_ID + n,
				contact_type_id: CONTACT_TYPE,
				country: COUNTRY,
			})),
		});
	}
}
