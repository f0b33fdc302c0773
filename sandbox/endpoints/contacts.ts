import { importRows, sampleCsv } from '../csvImport.ts';
import { countryWithId } from '../data/locations.ts';
import { deleteMany, endpoint, unknownReferences, update, type Context } from '../endpoint.ts';
import { ordered, RowText } from '../lists.ts';
import type { Contact } from '../model.ts';
import { csvFile, email, integer, integers, optional, text } from '../params.ts';
import { invalid, notFound, success, successList, type Reply } from '../replies.ts';

const optionalText = optional(text());
const contactFields = {
	contact_type_id: integer,
	email,
	country: integer,
	first_name: optionalText,
	last_name: optionalText,
	state: optionalText,
	city: optionalText,
	address_line1: optionalText,
	address_line2: optionalText,
	state_province_region: optionalText,
	postal_code: optionalText,
};

const fullname = (contact: Contact): string => `${contact.first_name} ${contact.last_name}`.trim();

// The list shows the country's name, the details its id as a string.
const listed = new RowText<Contact>((contact, type) => ({
	...contact,
	country: countryWithId(contact.country)?.name ?? '',
	fullname: fullname(contact),
	contact_type: type ?? null,
}));

function refuseContact(
	{ tables, settings }: Context,
	fields: { contact_type_id: number; country: number; email: string },
	self?: number,
): Reply | null {
	const unknown = unknownReferences({
		contact_type_id: !!tables.contactTypes.get(fields.contact_type_id),
		country: !!countryWithId(fields.country),
	});
	if (unknown || settings.duplicateEmail === 'allow') return unknown;
	const address = fields.email.toLowerCase();
	for (const other of tables.contacts.values()) {
		if (other.id === self || other.contact_type_id !== fields.contact_type_id) continue;
		if (other.email.toLowerCase() === address) {
			return invalid({ email: ['The email has already been taken.'] });
		}
	}
	return null;
}

/** Cleared texts are stored as empty ones; those not sent keep what there was. */
const texts = <F extends Record<string, unknown>>(
	fields: F,
): { [K in keyof F]: NonNullable<F[K]> } =>
	Object.fromEntries(
		Object.entries(fields)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name, value ?? '']),
	) as { [K in keyof F]: NonNullable<F[K]> };

export const contacts = [
	endpoint({
		number: '18',
		method: 'GET',
		path: '/contacts/list',
		run: (_input, { tables, settings }) =>
			successList(
				'contacts',
				ordered(tables.contacts, settings).map((contact) =>
					listed.of(contact, tables.contactTypes.get(contact.contact_type_id)),
				),
			),
	}),
	endpoint({
		number: '19',
		method: 'POST',
		path: '/contacts/add',
		body: contactFields,
		run: (fields, context) => {
			const failure = refuseContact(context, fields);
			if (failure) return failure;
			context.tables.contacts.add(texts(fields), context.clock.now());
			return success('Contact Added Successfully');
		},
	}),
	endpoint({
		number: '20',
		method: 'GET',
		path: '/contacts/csv-sample/download',
		run: (_input, { settings }) => {
			if (settings.csvSample === 'missing') return notFound('Record Not Found');
			if (settings.csvSample === 'object') return { outcome: 'success', json: '{}' };
			return {
				outcome: 'attachment',
				content: sampleCsv(settings),
				contentType: 'text/csv; charset=UTF-8',
				filename: 'contacts-sample.csv',
			};
		},
	}),
	endpoint({
		number: '21',
		method: 'POST',
		path: '/contacts/upload-csv',
		body: { contact_type_id: integer, file: csvFile },
		run: ({ contact_type_id, file }, context) =>
			unknownReferences({ contact_type_id: !!context.tables.contactTypes.get(contact_type_id) }) ??
			importRows(context, contact_type_id, file.bytes),
	}),
	endpoint({
		number: '22',
		method: 'GET',
		path: '/contacts/details',
		query: { contact_id: integer },
		run: ({ contact_id }, { tables }) => {
			const contact = tables.contacts.get(contact_id);
			if (!contact) return notFound('Record Not Found');
			return success({
				contact: { ...contact, country: String(contact.country), fullname: fullname(contact) },
			});
		},
	}),
	endpoint({
		number: '23',
		method: 'POST',
		path: '/contacts/update',
		body: { contact_id: integer, ...contactFields },
		clears: true,
		run: ({ contact_id, ...fields }, context) => {
			const contact = context.tables.contacts.get(contact_id);
			if (!contact) return notFound('Record Not Found');
			const failure = refuseContact(context, fields, contact_id);
			if (failure) return failure;
			update(context.tables.contacts, contact, texts(fields), context.clock.now());
			return success('Contact Updated Successfully');
		},
	}),
	endpoint({
		number: '24',
		method: 'DELETE',
		path: '/contacts/delete',
		query: { contact_id: integer },
		run: ({ contact_id }, { tables }) => {
			if (!tables.contacts.get(contact_id)) return notFound('Record Not Found');
			tables.contacts.remove(contact_id);
			return success('Deleted Successfully');
		},
	}),
	endpoint({
		number: '25',
		method: 'POST',
		path: '/contacts/bulk-delete',
		body: { strIds: integers },
		urlencoded: true,
		run: ({ strIds }, { tables, settings }) => {
			const rows = strIds.map((id) => tables.contacts.get(id));
			return (
				deleteMany(rows, settings, 'Record Not Found', (row) => tables.contacts.remove(row.id)) ??
				success('Deleted Successfully')
			);
		},
	}),
];
