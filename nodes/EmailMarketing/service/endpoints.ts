/** One endpoint of the API reference. */
export interface Endpoint {
	/** Its number in the reference. */
	readonly number: string;
	readonly method: 'GET' | 'POST' | 'DELETE';
	/** Path below the base URL. */
	readonly path: string;
	/** How the fields of the body are sent. */
	readonly encoding?: 'multipart/form-data' | 'application/x-www-form-urlencoded';
	/** Whether it has an effect. Some GETs do. */
	readonly changesData: boolean;
	/** The key in `message` under which a successful response has its list or its record. */
	readonly key?: string;
	/** For a list: the records that count its entries, if any do. */
	readonly countedBy?: CountedBy | 'nothing';
	/** Another possible reason for a record that is not found. */
	readonly ifNotFound?: string;
	/** Advice if the method is not allowed. */
	readonly ifNoMethod?: string;
	/** The other method that the reference names. For a read, both are tried. */
	readonly otherMethod?: Endpoint['method'];
	/** Whether its text of success is under the key `errors` instead of `message`. */
	readonly confirmsUnderErrors?: boolean;
	/** Set if the response is a file. */
	readonly responseEncoding?: 'arraybuffer';
	/** The gate that a request passes before it is sent. */
	readonly gate?: GateName;
}

/** The harm that a request can do: email to somebody who unsubscribed, a removal, a send. */
export type GateName = 'consent' | 'removal' | 'sending';

interface CountedBy {
	readonly list: KeyedEndpoint;
	/** Their field with the number. */
	readonly count: string;
	/** The parameter that chooses one of them by a field; without, the entries are those of all. */
	readonly parent?: { readonly parameter: string; readonly field: string };
}

/** An endpoint whose successful response has a list, or a record, under a known key. */
export type KeyedEndpoint = Endpoint & { readonly key: string };

const read = (number: string, path: string, key: string): KeyedEndpoint => ({
	number,
	method: 'GET',
	path,
	changesData: false,
	key,
});

const list = (
	number: string,
	path: string,
	key: string,
	countedBy: Endpoint['countedBy'] = 'nothing',
): KeyedEndpoint => ({ ...read(number, path, key), countedBy });

const automations = list('44', '/automations', 'automations');
const contactTypes = list('13', '/contacts-type', 'contactTypes');
const segments = list('26', '/segment/list', 'segments');
const unsubscribeGroups = list('5', '/unsubscribes-groups', 'unsubscribesGroups');

/** A GET that has an effect. */
const act = (number: string, path: string): Endpoint => ({
	number,
	method: 'GET',
	path,
	changesData: true,
});

const post = (number: string, path: string): Endpoint => ({
	number,
	method: 'POST',
	path,
	encoding: 'multipart/form-data',
	changesData: true,
});

const bulkDelete = (number: string, path: string): Endpoint => ({
	number,
	method: 'POST',
	path,
	encoding: 'application/x-www-form-urlencoded',
	changesData: true,
});

const remove = (number: string, path: string): Endpoint => ({
	number,
	method: 'DELETE',
	path,
	changesData: true,
});

const removeWithErrors = (number: string, path: string): Endpoint => ({
	...remove(number, path),
	confirmsUnderErrors: true,
});

const gated = <Name extends GateName>(gate: Name, endpoint: Endpoint) => ({ ...endpoint, gate });

/** All endpoints of the API reference, under the resource and the operation that call them. */
export const endpoints = {
	automation: {
		getAll: automations,
		create: post('45', '/automations/create'),
		duplicate: gated('sending', act('46', '/automations/duplicate')),
		get: read('47', '/automations/details', 'automation'),
		pause: {
			...act('48', '/automations/pause'),
			ifNotFound: 'Only live automations can be paused: check whether this one is a draft.',
		},
		setLive: gated('sending', act('49', '/automations/set-live')),
		delete: remove('49a', '/automations/delete'),
		deleteMany: bulkDelete('49b', '/automations/bulk-delete'),
	},
	automationSchedule: {
		getAll: list('49c', '/automations/schedule', 'automation_schedules', {
			list: automations,
			count: 'automation_schedule_count',
			parent: { parameter: 'utr', field: 'utr' },
		}),
		create: gated('sending', post('49d', '/automations/schedule/create')),
		delete: remove('49e', '/automations/schedule/delete'),
	},
	contact: {
		getAll: list('18', '/contacts/list', 'contacts', {
			list: contactTypes,
			count: 'contacts_count',
		}),
		create: gated('consent', post('19', '/contacts/add')),
		getCsvSample: {
			number: '20',
			method: 'GET',
			path: '/contacts/csv-sample/download',
			changesData: false,
			responseEncoding: 'arraybuffer',
		},
		importCsv: gated('consent', post('21', '/contacts/upload-csv')),
		get: read('22', '/contacts/details', 'contact'),
		update: gated('consent', post('23', '/contacts/update')),
		delete: gated('removal', remove('24', '/contacts/delete')),
		deleteMany: gated('removal', bulkDelete('25', '/contacts/bulk-delete')),
	},
	contactType: {
		getAll: contactTypes,
		create: post('14', '/contacts-type/add'),
		get: read('15', '/contacts-type/view', 'contactType'),
		update: post('16', '/contacts-type/update'),
		delete: removeWithErrors('17', '/contacts-type/delete'),
	},
	customField: {
		getReserved: list('31', '/reserve-fields', 'reservedFields'),
		getAll: list('32', '/custom-fields', 'customFields'),
		create: post('33', '/custom-fields/save'),
		delete: remove('34', '/custom-fields/delete'),
	},
	designTemplate: {
		getAll: list('35', '/get-design/template', 'templates'),
		getDynamicContent: list('36', '/get-dynamic/content', 'contents'),
	},
	globalUnsubscribe: {
		getAll: list('1', '/global-unsubscribes', 'unSubscribers'),
		add: post('2', '/global-unsubscribes/save'),
		delete: remove('3', '/global-unsubscribes/delete'),
		deleteMany: bulkDelete('4', '/global-unsubscribes/bulk-delete'),
	},
	location: {
		// Its three lists have a key each: countries, states and cities.
		getAll: { number: '50', method: 'GET', path: '/get/country-state-city', changesData: false },
	},
	notificationRecipient: {
		getAll: list('50a', '/notification-recipients', 'notifications'),
		create: gated('consent', post('50b', '/notification-recipient/save')),
		delete: remove('50c', '/notification-recipient/delete'),
		deleteMany: bulkDelete('50d', '/notification-recipient/bulk-delete'),
	},
	segment: {
		getAll: segments,
		getRecipients: list('27', '/segment/email/list', 'contactEmails', {
			list: segments,
			count: 'segment_emails_count',
			parent: { parameter: 'segment_id', field: 'id' },
		}),
		addRecipient: gated('consent', post('28', '/segment/email/store')),
		deleteRecipient: remove('29', '/segment/email/delete'),
		delete: removeWithErrors('30', '/segment/delete'),
	},
	sender: {
		// The reference names POST, and its sample request uses GET.
		getAll: { ...list('51', '/senders', 'senders'), otherMethod: 'POST' },
		create: post('52', '/sender/save'),
		get: read('53', '/sender/details', 'sender'),
		update: post('54', '/sender/update'),
		delete: removeWithErrors('55', '/sender/delete'),
		resendVerification: act('56', '/sender/resend-mail'),
	},
	singleSend: {
		getAll: list('37', '/single-send/list', 'singleSends'),
		create: gated('sending', post('38', '/single/send/create')),
		// The reference names GET, and its sample request uses POST.
		duplicate: {
			...gated('sending', post('39', '/single/send/duplicate')),
			otherMethod: 'GET',
			ifNoMethod:
				'The API reference names two methods for this request: choose the other one as "Compatibility: Request Method" in Options.',
		},
		get: read('40', '/single-send/details', 'singleSend'),
		update: gated('sending', post('41', '/single/send/update')),
		delete: remove('42', '/single/send/delete'),
		deleteMany: bulkDelete('43', '/single/send/bulk-delete'),
	},
	unsubscribeGroup: {
		getAll: unsubscribeGroups,
		create: post('6', '/unsubscribes-groups/save'),
		get: read('7', '/unsubscribes-groups/details', 'unsubscribesGroup'),
		update: post('8', '/unsubscribes-groups/update'),
		addRecipient: post('9', '/unsubscribes-groups/manually-add'),
		getRecipients: list('10', '/unsubscribes-groups/recipients-list', 'recipients', {
			list: unsubscribeGroups,
			count: 'unsubscribe_clients_count',
			parent: { parameter: 'groupId', field: 'id' },
		}),
		deleteRecipient: remove('11', '/unsubscribes-groups/recipients-delete'),
		deleteManyRecipients: bulkDelete('12', '/unsubscribes-groups/recipients-bulk-delete'),
	},
} satisfies Record<string, Record<string, Endpoint>>;

/** The resource whose operation calls an endpoint, as `unsubscribe_group`. */
export function resourceOf({ number }: Endpoint): string {
	const found = Object.entries<Record<string, Endpoint>>(endpoints).find(([, operations]) =>
		Object.values(operations).some((one) => one.number === number),
	);
	return (found?.[0] ?? '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
