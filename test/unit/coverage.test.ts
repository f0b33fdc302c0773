import { endpoints, type Endpoint } from '../../nodes/EmailMarketing/service/endpoints';
import { endpoints as served } from '../../sandbox/endpoints/index.ts';
import { customOperationNames, local, offered, resources, type Offered } from './operations';

type Row = [number: string, method: string, path: string, resource: string, operation: string];

/** The 65 endpoints of the reference, and the operation that reaches each. */
const reference: Row[] = [
	['1', 'GET', '/global-unsubscribes', 'globalUnsubscribe', 'getAll'],
	['2', 'POST', '/global-unsubscribes/save', 'globalUnsubscribe', 'add'],
	['3', 'DELETE', '/global-unsubscribes/delete', 'globalUnsubscribe', 'delete'],
	['4', 'POST', '/global-unsubscribes/bulk-delete', 'globalUnsubscribe', 'deleteMany'],
	['5', 'GET', '/unsubscribes-groups', 'unsubscribeGroup', 'getAll'],
	['6', 'POST', '/unsubscribes-groups/save', 'unsubscribeGroup', 'create'],
	['7', 'GET', '/unsubscribes-groups/details', 'unsubscribeGroup', 'get'],
	['8', 'POST', '/unsubscribes-groups/update', 'unsubscribeGroup', 'update'],
	['9', 'POST', '/unsubscribes-groups/manually-add', 'unsubscribeGroup', 'addRecipient'],
	['10', 'GET', '/unsubscribes-groups/recipients-list', 'unsubscribeGroup', 'getRecipients'],
	['11', 'DELETE', '/unsubscribes-groups/recipients-delete', 'unsubscribeGroup', 'deleteRecipient'],
	[
		'12',
		'POST',
		'/unsubscribes-groups/recipients-bulk-delete',
		'unsubscribeGroup',
		'deleteManyRecipients',
	],
	['13', 'GET', '/contacts-type', 'contactType', 'getAll'],
	['14', 'POST', '/contacts-type/add', 'contactType', 'create'],
	['15', 'GET', '/contacts-type/view', 'contactType', 'get'],
	['16', 'POST', '/contacts-type/update', 'contactType', 'update'],
	['17', 'DELETE', '/contacts-type/delete', 'contactType', 'delete'],
	['18', 'GET', '/contacts/list', 'contact', 'getAll'],
	['19', 'POST', '/contacts/add', 'contact', 'create'],
	['20', 'GET', '/contacts/csv-sample/download', 'contact', 'getCsvSample'],
	['21', 'POST', '/contacts/upload-csv', 'contact', 'importCsv'],
	['22', 'GET', '/contacts/details', 'contact', 'get'],
	['23', 'POST', '/contacts/update', 'contact', 'update'],
	['24', 'DELETE', '/contacts/delete', 'contact', 'delete'],
	['25', 'POST', '/contacts/bulk-delete', 'contact', 'deleteMany'],
	['26', 'GET', '/segment/list', 'segment', 'getAll'],
	['27', 'GET', '/segment/email/list', 'segment', 'getRecipients'],
	['28', 'POST', '/segment/email/store', 'segment', 'addRecipient'],
	['29', 'DELETE', '/segment/email/delete', 'segment', 'deleteRecipient'],
	['30', 'DELETE', '/segment/delete', 'segment', 'delete'],
	['31', 'GET', '/reserve-fields', 'customField', 'getReserved'],
	['32', 'GET', '/custom-fields', 'customField', 'getAll'],
	['33', 'POST', '/custom-fields/save', 'customField', 'create'],
	['34', 'DELETE', '/custom-fields/delete', 'customField', 'delete'],
	['35', 'GET', '/get-design/template', 'designTemplate', 'getAll'],
	['36', 'GET', '/get-dynamic/content', 'designTemplate', 'getDynamicContent'],
	['37', 'GET', '/single-send/list', 'singleSend', 'getAll'],
	['38', 'POST', '/single/send/create', 'singleSend', 'create'],
	['39', 'POST', '/single/send/duplicate', 'singleSend', 'duplicate'],
	['40', 'GET', '/single-send/details', 'singleSend', 'get'],
	['41', 'POST', '/single/send/update', 'singleSend', 'update'],
	['42', 'DELETE', '/single/send/delete', 'singleSend', 'delete'],
	['43', 'POST', '/single/send/bulk-delete', 'singleSend', 'deleteMany'],
	['44', 'GET', '/automations', 'automation', 'getAll'],
	['45', 'POST', '/automations/create', 'automation', 'create'],
	['46', 'GET', '/automations/duplicate', 'automation', 'duplicate'],
	['47', 'GET', '/automations/details', 'automation', 'get'],
	['48', 'GET', '/automations/pause', 'automation', 'pause'],
	['49', 'GET', '/automations/set-live', 'automation', 'setLive'],
	['49a', 'DELETE', '/automations/delete', 'automation', 'delete'],
	['49b', 'POST', '/automations/bulk-delete', 'automation', 'deleteMany'],
	['49c', 'GET', '/automations/schedule', 'automationSchedule', 'getAll'],
	['49d', 'POST', '/automations/schedule/create', 'automationSchedule', 'create'],
	['49e', 'DELETE', '/automations/schedule/delete', 'automationSchedule', 'delete'],
	['50', 'GET', '/get/country-state-city', 'location', 'getAll'],
	['50a', 'GET', '/notification-recipients', 'notificationRecipient', 'getAll'],
	['50b', 'POST', '/notification-recipient/save', 'notificationRecipient', 'create'],
	['50c', 'DELETE', '/notification-recipient/delete', 'notificationRecipient', 'delete'],
	['50d', 'POST', '/notification-recipient/bulk-delete', 'notificationRecipient', 'deleteMany'],
	['51', 'GET', '/senders', 'sender', 'getAll'],
	['52', 'POST', '/sender/save', 'sender', 'create'],
	['53', 'GET', '/sender/details', 'sender', 'get'],
	['54', 'POST', '/sender/update', 'sender', 'update'],
	['55', 'DELETE', '/sender/delete', 'sender', 'delete'],
	['56', 'GET', '/sender/resend-mail', 'sender', 'resendVerification'],
];

const fromOffer = ({ resource, operation, endpoint }: Offered): string =>
	[resource, operation, endpoint?.method, endpoint?.path].join(' ');
const fromReference = ([, method, path, resource, operation]: Row): string =>
	[resource, operation, method, path].join(' ');

interface Gaps {
	/** Endpoints that no operation reaches. */
	unreachable: string[];
	/** Operations that reach no endpoint of the reference and are not carried out by the node itself. */
	invented: string[];
	/** Operations that the node could carry out, but that nobody can choose. */
	notOffered: string[];
}

function gapsBetween(rows: Row[], offers: Offered[], localNames: string[]): Gaps {
	const wanted = new Set(rows.map(fromReference));
	const reached = new Set(offers.map(fromOffer));
	const names = new Set(offers.map(({ resource, operation }) => `${resource}.${operation}`));
	return {
		unreachable: [...wanted].filter((entry) => !reached.has(entry)),
		invented: offers
			.filter(
				(offer) =>
					!wanted.has(fromOffer(offer)) &&
					!localNames.includes(`${offer.resource}.${offer.operation}`),
			)
			.map(fromOffer),
		notOffered: localNames.filter((name) => !names.has(name)),
	};
}

const none: Gaps = { unreachable: [], invented: [], notOffered: [] };

it('reaches each of the 65 endpoints with one operation, and offers nothing else', () => {
	expect(reference).toHaveLength(65);
	expect(gapsBetween(reference, offered, local)).toEqual(none);
});

it('offers operations for each resource, and no resource twice', () => {
	expect([...new Set(offered.map(({ resource }) => resource))].sort()).toEqual(
		[...resources].sort(),
	);
	const names = offered.map(({ resource, operation }) => `${resource}.${operation}`);
	expect(new Set(names).size).toBe(names.length);
});

it('carries out every operation by itself, which is faster than n8n does', () => {
	const names = offered.map(({ resource, operation }) => `${resource}.${operation}`);
	expect(customOperationNames.toSorted()).toEqual(names.toSorted());
});

it('notices every operation that is missing, and every row that is missing', () => {
	for (const row of reference) {
		const [, , , resource, operation] = row;
		const withoutOffer = offered.filter(
			(offer) => offer.resource !== resource || offer.operation !== operation,
		);
		expect(gapsBetween(reference, withoutOffer, local)).toEqual({
			...none,
			unreachable: [fromReference(row)],
		});
		const withoutRow = reference.filter((other) => other !== row);
		expect(gapsBetween(withoutRow, offered, local)).toEqual({
			...none,
			invented: [fromReference(row)],
		});
	}
});

it('notices another method, another path, and a local operation that is not offered', () => {
	const first = offered.find(({ endpoint }) => endpoint !== undefined);
	if (first?.endpoint === undefined) throw new Error('No operation has an endpoint');
	const others = offered.filter((offer) => offer !== first);
	for (const change of [{ method: 'DELETE' as const }, { path: '/elsewhere' }]) {
		const changed = { ...first, endpoint: { ...first.endpoint, ...change } };
		expect(gapsBetween(reference, [changed, ...others], local)).toEqual({
			...none,
			unreachable: [fromOffer(first)],
			invented: [fromOffer(changed)],
		});
	}
	expect(gapsBetween(reference, offered, [...local, 'contact.vanished'])).toEqual({
		...none,
		notOffered: ['contact.vanished'],
	});
});

const encodings = {
	multipart: 'multipart/form-data',
	urlencoded: 'application/x-www-form-urlencoded',
};

describe.each(reference)('%s %s %s', (number, method, path, resource, operation) => {
	const row = offered.find(
		(offer) => offer.resource === resource && offer.operation === operation,
	)?.row;
	const counterpart = served.find((candidate) => candidate.number === number);

	it('is the same for the stand-in of the service', () => {
		expect(row?.endpoint.number).toBe(number);
		expect(counterpart?.path).toBe(path);
		expect(counterpart?.methods).toContain(method);
	});

	it('takes the same fields, the same of them required, in the same encoding', () => {
		const required = (fields: Record<string, { required?: boolean }> = {}) =>
			Object.fromEntries(
				Object.entries(fields).map(([name, field]) => [name, field.required === true]),
			);
		const file = row?.file && { [row.file.field]: true };
		expect(required(row?.query)).toEqual(required(counterpart?.query));
		expect({ ...required(row?.body), ...file }).toEqual(required(counterpart?.body));

		const encoding = counterpart?.encoding ?? 'none';
		const hasBody = row?.body !== undefined;
		expect(hasBody ? row.endpoint.encoding : 'none').toBe(
			encoding === 'none' ? 'none' : encodings[encoding],
		);
	});
});

it('has each endpoint in the table once, and reaches all of them', () => {
	const table = Object.values(endpoints).flatMap((ofResource) => Object.values(ofResource));
	expect(table.map(({ number }: Endpoint) => number).sort()).toEqual(
		reference.map(([number]) => number).sort(),
	);
	expect(new Set(offered.flatMap(({ endpoint }) => endpoint ?? []))).toEqual(new Set(table));
});
