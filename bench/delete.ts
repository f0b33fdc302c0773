// Deleting contacts whose ids come one per item.
import { chosen, httpRequest, ours } from './contestants.ts';
import { FIRST_ID, resetContacts } from './contacts.ts';
import type { Figures } from './stage.ts';
import { work } from './work.ts';

const COUNT = 1_000;
const items = Array.from({ length: COUNT }, (_, n) => ({ id: FIRST_ID + n }));

export const deleting = work({
	name: 'delete',
	title: `Delete ${COUNT.toLocaleString('en')} contacts, one ID per item`,
	contestants: {
		many: 'This node, Delete Many',
		single: 'This node, Delete',
		http: 'HTTP Request, one by one',
	},
	targets: [
		{
			what: 'requests of Delete Many',
			most: COUNT / 100,
			unit: ' requests',
			of: ({ many }) => many.requests ?? NaN,
		},
	],
	async prepare(stage) {
		const service = await stage.service();
		const after = (run: (items: object[]) => Promise<Figures>) => async () => {
			await resetContacts(service, COUNT);
			const figures = await run(items);
			const { contacts } = await service.counts();
			if (contacts !== 0) throw new Error(`${contacts} contacts are still there`);
			return figures;
		};
		const many = { resource: 'contact', operation: 'deleteMany', contactIds: '={{ $json.id }}' };
		const single = {
			resource: 'contact',
			operation: 'delete',
			contactId: { ...chosen(0), mode: 'id', value: '={{ $json.id }}' },
		};
		const query = { contact_id: '={{ $json.id }}' };
		const http = httpRequest(service, 'DELETE', '/contacts/delete', { query });
		return {
			many: after(await stage.workflow('delete-many', service, [ours(many)])),
			single: after(await stage.workflow('delete-single', service, [ours(single)])),
			http: after(await stage.workflow('delete-http', service, [http])),
		};
	},
});
