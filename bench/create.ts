// Creating contacts, one request each: mapped automatically, and mapped by expressions.
import type { INode, INodeParameters } from 'n8n-workflow';
import { chosen, floor, httpRequest, naive, ours } from './contestants.ts';
import type { Figures, Service, Stage } from './stage.ts';
import { CONTACT_TYPE, COUNTRY, person, resetContacts } from './contacts.ts';
import { work } from './work.ts';

export const COUNT = 1_000;

export const items = Array.from({ length: COUNT }, (_, n) => ({
	...person(n),
	source: 'CRM',
	score: n,
}));
type Mapping = Record<'email' | 'country' | 'first_name' | 'last_name' | 'city', string>;

/** What the editor writes when one drags a field of the input into the node. */
export const dragged: Mapping = {
	email: '={{ $json.email }}',
	country: '={{ $json.country }}',
	first_name: '={{ $json.first_name }}',
	last_name: '={{ $json.last_name }}',
	city: '={{ $json.city }}',
};

/** What a user writes. */
const computed: Mapping = {
	email: '={{ $json.email.trim().toLowerCase() }}',
	country: `={{ $json.country || '${COUNTRY}' }}`,
	first_name: '={{ $json.first_name.trim() }}',
	last_name: '={{ $json.last_name.trim() }}',
	city: "={{ $json.city ?? '' }}",
};

export const create = (fields: INodeParameters, options: INodeParameters = {}) =>
	ours({
		resource: 'contact',
		operation: 'create',
		contactTypeId: chosen(CONTACT_TYPE),
		fields,
		options,
	});
export const automatic = { mappingMode: 'autoMapInputData', value: null };
const byHand = (value: Mapping) => ({ mappingMode: 'defineBelow', value });

export const http = (service: Service, mapping: Mapping, options: INodeParameters = {}) =>
	httpRequest(
		service,
		'POST',
		'/contacts/add',
		{ body: { contact_type_id: String(CONTACT_TYPE), ...mapping } },
		options,
	);

export const batches = (batchSize: number, batchInterval: number): INodeParameters => ({
	batching: { batch: { batchSize, batchInterval } },
});

async function runner(stage: Stage, name: string, service: Service, node: INode) {
	const run = await stage.workflow(name, service, [node]);
	return async () => {
		await resetContacts(service, 0);
		return await run(items, COUNT);
	};
}

export const createRequests = items.map(({ source: _source, score: _score, ...fields }) => ({
	method: 'POST',
	path: '/contacts/add',
	form: { contact_type_id: CONTACT_TYPE, ...fields },
}));

/** The lists without which the node creates nobody: who unsubscribed, and the countries. */
export const listRequests = ['/global-unsubscribes', '/get/country-state-city'].map((path) => ({
	method: 'GET',
	path,
}));

const plain = (service: Service) => async (): Promise<Figures> => {
	await resetContacts(service, 0);
	return await floor(service, createRequests);
};

export const creating = work({
	name: 'create',
	title: `Create ${COUNT.toLocaleString('en')} contacts`,
	contestants: {
		automatic: 'This node, mapped automatically',
		dragged: 'This node, five fields dragged in',
		computed: 'This node, five computed fields',
		http: 'HTTP Request, five fields dragged in',
		httpComputed: 'HTTP Request, five computed fields',
		httpBatches: 'HTTP Request, dragged in, batches of 50 every 100 ms',
		naive: 'A naive declarative node, five fields dragged in',
		floor: 'Plain HTTP, ten connections',
	},
	targets: [
		{
			what: 'mapped automatically ÷ HTTP Request',
			most: 0.3,
			of: ({ automatic, http }) => automatic.ms / http.ms,
		},
		{
			what: 'mapped automatically ÷ plain HTTP',
			most: 2.5,
			of: ({ automatic, floor }) => automatic.ms / floor.ms,
		},
		{
			what: 'computed fields ÷ HTTP Request',
			most: 0.2,
			of: ({ computed, httpComputed }) => computed.ms / httpComputed.ms,
		},
		{
			what: 'fields dragged in ÷ HTTP Request',
			most: 0.25,
			of: ({ dragged, http }) => dragged.ms / http.ms,
		},
	],
	async prepare(stage) {
		const service = await stage.service();
		const run = async (name: string, node: INode) => await runner(stage, name, service, node);
		const naiveNode = naive({
			operation: 'create',
			contactTypeId: String(CONTACT_TYPE),
			email: dragged.email,
			country: dragged.country,
			firstName: dragged.first_name,
			lastName: dragged.last_name,
			city: dragged.city,
		});
		return {
			automatic: await run('create-automatic', create(automatic)),
			dragged: await run('create-dragged', create(byHand(dragged))),
			computed: await run('create-computed', create(byHand(computed))),
			http: await run('create-http', http(service, dragged)),
			httpComputed: await run('create-http-computed', http(service, computed)),
			httpBatches: await run('create-http-batches', http(service, dragged, batches(50, 100))),
			naive: await run('create-naive', naiveNode),
			floor: plain(service),
		};
	},
});
