// Getting all contacts of one list as items.
import { floor, httpRequest, ours, splitOut } from './contestants.ts';
import { resetContacts } from './contacts.ts';
import { work } from './work.ts';

const COUNT = 10_000;
const path = '/contacts/list';

export const getting = work({
	name: 'get',
	title: `Get ${COUNT.toLocaleString('en')} contacts into items`,
	rounds: 9,
	contestants: {
		raw: 'This node, Output: Raw',
		simplified: 'This node, Output: Simplified',
		http: 'HTTP Request and Split Out',
		floor: 'Plain HTTP, without items',
	},
	targets: [
		{
			what: 'this node, Raw ÷ HTTP Request and Split Out',
			most: 1.1,
			of: ({ raw, http }) => raw.ms / http.ms,
		},
	],
	async prepare(stage) {
		const service = await stage.service();
		await resetContacts(service, COUNT);
		const getAll = async (output: string) => {
			const parameters = { resource: 'contact', operation: 'getAll', returnAll: true, output };
			return await stage.workflow(`get-${output}`, service, [ours(parameters)]);
		};
		const raw = await getAll('raw');
		const simplified = await getAll('simplified');
		const http = await stage.workflow('get-http', service, [
			httpRequest(service, 'GET', path),
			splitOut('message.contacts'),
		]);
		return {
			raw: async () => await raw([{}], COUNT),
			simplified: async () => await simplified([{}], COUNT),
			http: async () => await http([{}], COUNT),
			floor: async () => await floor(service, [{ method: 'GET', path }]),
		};
	},
});
