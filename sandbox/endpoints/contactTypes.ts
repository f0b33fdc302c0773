import { endpoint, unknownReferences, update } from '../endpoint.ts';
import { ordered } from '../lists.ts';
import { integer, text } from '../params.ts';
import { notFound, success, successUnderErrors } from '../replies.ts';

const name = text({ min: 2 });

export const contactTypes = [
	endpoint({
		number: '13',
		method: 'GET',
		path: '/contacts-type',
		run: (_input, { tables, settings }) => {
			const counts = new Map<number, number>();
			for (const { contact_type_id: type } of tables.contacts.values()) {
				counts.set(type, (counts.get(type) ?? 0) + 1);
			}
			const types = ordered(tables.contactTypes, settings).map((type) => ({
				...type,
				contacts_count: counts.get(type.id) ?? 0,
			}));
			return success({ contactTypes: types });
		},
	}),
	endpoint({
		number: '14',
		method: 'POST',
		path: '/contacts-type/add',
		body: { name },
		run: (fields, { tables, clock }) => {
			tables.contactTypes.add(fields, clock.now());
			return success('Added Successfully');
		},
	}),
	endpoint({
		number: '15',
		method: 'GET',
		path: '/contacts-type/view',
		query: { contact_type_id: integer },
		run: ({ contact_type_id }, { tables }) => {
			const type = tables.contactTypes.get(contact_type_id);
			// #15 shows its failure as an object, unlike the other lookups.
			return unknownReferences({ contact_type_id: !!type }) ?? success({ contactType: type });
		},
	}),
	endpoint({
		number: '16',
		method: 'POST',
		path: '/contacts-type/update',
		body: { id: integer, name },
		run: ({ id, ...fields }, { tables, clock }) => {
			const type = tables.contactTypes.get(id);
			if (!type) return notFound('Record Not Found');
			update(tables.contactTypes, type, fields, clock.now());
			return success('Updated Successfully');
		},
	}),
	endpoint({
		number: '17',
		method: 'DELETE',
		path: '/contacts-type/delete',
		query: { contact_type_id: integer },
		run: ({ contact_type_id }, { tables }) => {
			if (!tables.contactTypes.get(contact_type_id)) return notFound('Record Not Found');
			for (const contact of tables.contacts.all()) {
				if (contact.contact_type_id === contact_type_id) tables.contacts.remove(contact.id);
			}
			tables.contactTypes.remove(contact_type_id);
			return successUnderErrors('Deleted Successfully');
		},
	}),
];
