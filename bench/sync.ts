// Syncing contacts: where a few changed, where none did, and where all are new.
import type { INodeParameters } from 'n8n-workflow';
import { chosen, httpRequest, ours } from './contestants.ts';
import { CONTACT_TYPE, FIRST_ID, person, resetContacts } from './contacts.ts';
import type { Figures, Service, Stage } from './stage.ts';
import { work } from './work.ts';

const COUNT = 10_000;
const CHANGED = COUNT / 100;
/** So many upserts are measured, and what they take is counted ten times: 10,000 would take minutes. */
const UPSERTS = COUNT / 10;

/** The items as another system gives them. */
const itemsOf = (count: number, changed = 0, city = '') =>
	Array.from({ length: count }, (_, n) => {
		const { email, first_name, last_name, city: before } = person(n);
		return {
			'E-Mail': email,
			'First Name': first_name,
			Surname: last_name,
			City: n < changed ? city : before,
			Country: 'DE',
		};
	});

/** What the HTTP Request node sends of a person. */
const dragged = {
	contact_type_id: String(CONTACT_TYPE),
	email: '={{ $json.email }}',
	country: '={{ $json.country }}',
	first_name: '={{ $json.first_name }}',
	last_name: '={{ $json.last_name }}',
	city: '={{ $json.city }}',
};

const syncOf = async (stage: Stage, name: string, service: Service, options: INodeParameters) =>
	await stage.workflow(name, service, [
		ours({
			resource: 'contact',
			operation: 'sync',
			contactTypeId: chosen(CONTACT_TYPE),
			fields: { mappingMode: 'autoMapInputData', value: null },
			options,
		}),
	]);

export const syncing = work({
	name: 'sync',
	title: `Sync ${COUNT.toLocaleString('en')} contacts, of which ${CHANGED} changed`,
	contestants: {
		sync: 'This node, Sync',
		http: `HTTP Request, an update for each (${UPSERTS.toLocaleString('en')} measured, times ${COUNT / UPSERTS})`,
	},
	targets: [
		{
			what: 'Sync ÷ HTTP Request',
			most: 0.03,
			of: ({ sync, http }) => sync.ms / http.ms,
		},
		{
			what: 'requests of Sync: three lists and one per change',
			most: 3 + CHANGED,
			unit: ' requests',
			of: ({ sync }) => sync.requests ?? NaN,
		},
	],
	async prepare(stage) {
		const service = await stage.service();
		await resetContacts(service, COUNT);
		const sync = await syncOf(stage, 'sync', service, { report: 'all' });
		const body = {
			contact_id: '={{ $json.id }}',
			...dragged,
		};
		const http = await stage.workflow('sync-http', service, [
			httpRequest(service, 'POST', '/contacts/update', { body }),
		]);
		const upserts = Array.from({ length: UPSERTS }, (_, n) => ({ id: FIRST_ID + n, ...person(n) }));
		return {
			sync: async (round) => await sync(itemsOf(COUNT, CHANGED, `City ${round}`), COUNT),
			http: async () => {
				const { ms, requests = 0, ...rest } = await http(upserts, UPSERTS);
				const times = COUNT / UPSERTS;
				return { ...rest, ms: ms * times, requests: requests * times };
			},
		};
	},
});

/** A turn of syncing contacts of which none changed. */
async function unchanged(
	stage: Stage,
	work: string,
	size: number,
): Promise<() => Promise<Figures>> {
	const name = `${work}-${size}`;
	const service = await stage.service(name);
	await resetContacts(service, size);
	const run = await syncOf(stage, name, service, { report: 'all' });
	const items = itemsOf(size);
	return async () => await run(items, size);
}

const sizes = { thousand: 1_000, tenThousand: 10_000, hundredThousand: 100_000 };

export const scaling = work({
	name: 'scale',
	title: 'Sync contacts of which none changed',
	contestants: {
		thousand: '1,000 contacts',
		tenThousand: '10,000 contacts',
		hundredThousand: '100,000 contacts',
	},
	targets: [
		{
			what: 'time per contact, 100,000 ÷ 1,000',
			most: 1.3,
			of: ({ thousand, hundredThousand }) =>
				hundredThousand.ms / sizes.hundredThousand / (thousand.ms / sizes.thousand),
		},
		{
			what: 'peak memory of n8n at 100,000',
			most: 1024,
			unit: ' MB',
			of: ({ hundredThousand }) => hundredThousand.memoryMb ?? NaN,
		},
	],
	async prepare(stage) {
		return {
			thousand: await unchanged(stage, 'scale', sizes.thousand),
			tenThousand: await unchanged(stage, 'scale', sizes.tenThousand),
			hundredThousand: await unchanged(stage, 'scale', sizes.hundredThousand),
		};
	},
});

const large = { hundredThousand: 100_000, halfMillion: 500_000 };

export const halfMillion = work({
	name: 'half-million',
	title: 'Sync half a million contacts of which none changed',
	contestants: { hundredThousand: '100,000 contacts', halfMillion: '500,000 contacts' },
	targets: [
		{
			what: 'time per contact, 500,000 ÷ 100,000',
			most: 1,
			of: ({ hundredThousand: fewer, halfMillion: more }) =>
				more.ms / large.halfMillion / (fewer.ms / large.hundredThousand),
		},
		{
			what: "peak memory at 500,000 on top of n8n's own",
			most: 2560,
			unit: ' MB',
			of: ({ halfMillion: { addedMemoryMb } }) => addedMemoryMb ?? NaN,
		},
	],
	rounds: 3,
	async prepare(stage) {
		return {
			hundredThousand: await unchanged(stage, 'half-million', large.hundredThousand),
			halfMillion: await unchanged(stage, 'half-million', large.halfMillion),
		};
	},
});

/** New contacts, which the Sync imports as files, and HTTP Request creates one by one. */
export const syncCreating = work({
	name: 'sync-creates',
	title: `Sync ${COUNT.toLocaleString('en')} new contacts`,
	contestants: {
		sync: 'This node, Sync with Import as File If More New Contacts Than',
		http: `HTTP Request, one request each (${UPSERTS.toLocaleString('en')} measured, times ${COUNT / UPSERTS})`,
	},
	targets: [
		{
			what: 'Sync ÷ HTTP Request',
			most: 0.01,
			of: ({ sync, http }) => sync.ms / http.ms,
		},
		{
			what: 'requests of Sync',
			most: 9,
			unit: ' requests',
			of: ({ sync }) => sync.requests ?? NaN,
		},
	],
	async prepare(stage) {
		const service = await stage.service();
		const sync = await syncOf(stage, 'sync-creates', service, { report: 'all', importAbove: 200 });
		const http = await stage.workflow('sync-creates-http', service, [
			httpRequest(service, 'POST', '/contacts/add', { body: dragged }),
		]);
		const items = itemsOf(COUNT);
		const creates = Array.from({ length: UPSERTS }, (_, n) => person(n));
		return {
			sync: async () => {
				await resetContacts(service, 0);
				return await sync(items, COUNT);
			},
			http: async () => {
				await resetContacts(service, 0);
				const { ms, requests = 0, ...rest } = await http(creates, UPSERTS);
				const times = COUNT / UPSERTS;
				return { ...rest, ms: ms * times, requests: requests * times };
			},
		};
	},
});
