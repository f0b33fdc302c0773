import { endpoint } from '../endpoint.ts';
import { listOf, ordered } from '../lists.ts';
import { integer, oneOf, text } from '../params.ts';
import { invalid, notFound, success } from '../replies.ts';

export const fields = [
	endpoint({
		number: '31',
		method: 'GET',
		path: '/reserve-fields',
		run: (_input, { tables }) => listOf('reservedFields', tables.reservedFields.all()),
	}),
	endpoint({
		number: '32',
		method: 'GET',
		path: '/custom-fields',
		run: (_input, { tables, settings }) =>
			listOf('customFields', ordered(tables.customFields, settings)),
	}),
	endpoint({
		number: '33',
		method: 'POST',
		path: '/custom-fields/save',
		body: { field_name: text(), field_type: oneOf('text', 'number', 'datetime-local') },
		run: (row, { tables, clock }) => {
			if (!/^[A-Za-z0-9_]+$/.test(row.field_name)) {
				return invalid({ field_name: ['The field name format is invalid.'] });
			}
			if (tables.reservedFields.all().some(({ field_name }) => field_name === row.field_name)) {
				return invalid({ field_name: ['The field name is reserved.'] });
			}
			tables.customFields.add(row, clock.now());
			return success('Added Successfully');
		},
	}),
	endpoint({
		number: '34',
		method: 'DELETE',
		path: '/custom-fields/delete',
		query: { id: integer },
		run: ({ id }, { tables }) => {
			if (!tables.customFields.get(id)) return notFound('Record Not Found');
			tables.customFields.remove(id);
			return success('Deleted Successfully');
		},
	}),
];
