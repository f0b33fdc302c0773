import { CountryLookup } from '../../../nodes/EmailMarketing/features/locations/country';
import {
	checkConsent,
	type ClearedAddress,
} from '../../../nodes/EmailMarketing/features/consent/guard';
import type {
	ContactInput,
	MappedContact,
} from '../../../nodes/EmailMarketing/features/contacts/fields';
import { planContacts } from '../../../nodes/EmailMarketing/features/sync/plan/plan';
import { onlyRun } from '../../../nodes/EmailMarketing/features/sync/plan/planMissing';
import type {
	ListedContact,
	PlannedRow,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import type {
	Plan,
	PlanInput,
	PlanOptions,
} from '../../../nodes/EmailMarketing/features/sync/types';
import type { Suppression } from '../../../nodes/EmailMarketing/features/consent/types';

export const COUNTRIES = [
	{ id: 1, name: 'Austria', iso2: 'AT' },
	{ id: 2, name: 'Germany', iso2: 'DE' },
	{ id: 3, name: 'Switzerland', iso2: 'CH' },
];
export const countries = new CountryLookup({ countries: COUNTRIES });
const nameOf = (id: string) => COUNTRIES.find((country) => String(country.id) === id)?.name ?? id;

export const TYPE = 7;

/** An address that nobody has unsubscribed. */
export function cleared(address: string): ClearedAddress {
	const consent = checkConsent(new Map(), address);
	if ('suppression' in consent) throw new Error('No list has it');
	return consent.cleared;
}

export const options = (changed: Partial<PlanOptions> = {}): PlanOptions => ({
	contactTypeId: TYPE,
	matchBy: 'email',
	emptyValues: 'ignore',
	missing: { kind: 'ignore' },
	removeAfter: 1,
	onlyAddedBySync: false,
	recreateRemoved: false,
	maxRemovalPercent: 100,
	...changed,
});

export const contact = (id: number, changed: Partial<ListedContact> = {}): ListedContact => ({
	id,
	contact_type_id: TYPE,
	email: `c${id}@example.com`,
	country: 'Germany',
	first_name: 'Ann',
	last_name: '',
	city: 'Köln',
	deleted_at: null,
	...changed,
});

export const item = (
	email: unknown,
	values: MappedContact['values'] = {},
	contactId?: unknown,
): MappedContact => ({
	values: { email, ...values },
	...(contactId !== undefined && { contactId }),
});

export const suppressed = (...emails: string[]): Map<string, Suppression> =>
	new Map(
		emails.map((email) => [
			email,
			{
				reason: 'unsubscribed',
				date: '2026-03-01T10:00:00.000000Z',
				list: 'Global Unsubscribes',
			},
		]),
	);

export const numbered = (items: readonly MappedContact[]): ContactInput[] =>
	items.map((one, item) => ({ ...one, item }));

export const planOf = (
	items: MappedContact[],
	contacts: ListedContact[],
	changed: Partial<PlanOptions> = {},
	rest: Partial<PlanInput> = {},
): Plan =>
	planContacts({
		items: numbered(items),
		contacts,
		suppressions: new Map(),
		countries,
		execution: onlyRun,
		options: options(changed),
		...rest,
	});

export const rowOf = (...given: Parameters<typeof planOf>): PlannedRow => {
	const row = planOf(...given).rows[0];
	if (!row) throw new Error('The plan has no row');
	return row;
};

/** Whether the service keeps or blanks what an update does not send is not shown: both are possible. */
export type UpdateStyle = 'keeps' | 'blanks';

const BLANK = {
	first_name: '',
	last_name: '',
	state: '',
	city: '',
	address_line1: '',
	address_line2: '',
	state_province_region: '',
	postal_code: '',
};

/** What the contact list shows after the plan was carried out. */
export function apply(
	plan: Plan,
	contacts: readonly ListedContact[],
	style: UpdateStyle,
): ListedContact[] {
	const byId = new Map(contacts.map((each) => [each.id, { ...each }]));
	let nextId = 1000;
	for (const { action, contactId = 0, body } of plan.rows) {
		if (action === 'deleted') byId.delete(contactId);
		if (!body) continue;
		const shown = { ...body, country: nameOf(body.country) };
		if (action === 'created') {
			byId.set(nextId, { ...BLANK, ...shown, id: nextId, deleted_at: null });
			nextId++;
		}
		const before = byId.get(contactId);
		if ((action === 'updated' || action === 'moved') && before) {
			byId.set(contactId, { ...before, ...(style === 'blanks' && BLANK), ...shown });
		}
	}
	return [...byId.values()];
}
