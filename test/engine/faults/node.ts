import type { IDataObject } from 'n8n-workflow';

import { keys, type Outcome } from '../engine';
import { contactType, otherContactType } from '../records';
import { chosen } from '../rows';
import { inflict, TRIES, type Watched } from './inflict';
import { effectOf, unchanged, whenLost, type Row } from './table';

type Call = 'list' | 'detail' | 'create' | 'update' | 'delete';

interface Request {
	call: string;
	parameters: IDataObject;
	/** The JSON of the items that come out. */
	gives: IDataObject[];
	/** The names of all contact types once the request has been carried out. */
	leaves: string[];
}

const before = ['Customers', 'Subscribers'];

const requests: Record<Call, Request> = {
	list: {
		call: 'GET /contacts-type',
		parameters: { operation: 'getAll', returnAll: true },
		gives: [contactType, otherContactType].map((type) => ({ ...type, contacts_count: 1 })),
		leaves: before,
	},
	detail: {
		call: 'GET /contacts-type/view',
		parameters: { operation: 'get', contactTypeId: chosen('21') },
		gives: [contactType],
		leaves: before,
	},
	create: {
		call: 'POST /contacts-type/add',
		parameters: { operation: 'create', name: 'Wholesale' },
		gives: [{ created: true, name: 'Wholesale', message: 'Added Successfully' }],
		leaves: [...before, 'Wholesale'],
	},
	update: {
		call: 'POST /contacts-type/update',
		parameters: { operation: 'update', contactTypeId: chosen('21'), name: 'Clients' },
		gives: [{ updated: true, id: 21, name: 'Clients', message: 'Updated Successfully' }],
		leaves: ['Clients', 'Subscribers'],
	},
	delete: {
		call: 'DELETE /contacts-type/delete',
		parameters: { operation: 'delete', contactTypeId: chosen('22') },
		gives: [{ deleted: true, id: 22, message: 'Deleted Successfully' }],
		leaves: ['Customers'],
	},
};

/** The second line of an error. */
function description(row: Omit<Row, 'sync' | 'poll'>, call: Call, tries: number): string {
	const isRead = call === 'list' || call === 'detail';
	const remedy = row.says?.remedy ?? '';
	const isLost = !isRead && row[call] === 'may have succeeded';
	return [
		isLost ? whenLost(remedy) : remedy,
		...(isRead || isLost ? [] : [unchanged]),
		...(tries > 1 ? [`Tried ${tries} times.`] : []),
	].join(' ');
}

/** Lets a call of the node meet a fault once, and where that is told apart, every time. */
export async function checkCall(
	watched: Watched,
	row: Omit<Row, 'sync' | 'poll'>,
	call: Call,
): Promise<void> {
	const request = requests[call];
	const { service } = watched;

	const run = async (): Promise<Outcome> => {
		const outcome = await service.run(
			{ resource: 'contactType', ...request.parameters },
			{ credential: { baseUrl: watched.baseUrl(row), ...keys } },
		);
		watched.watch.add(outcome);
		return outcome;
	};
	const holds = () => service.state.tables.contactTypes.all().map(({ name }) => name);
	const expectSent = (tries: number, arrived: number) => {
		expect(watched.pauses()).toBe(tries - 1);
		expect(service.calls()).toEqual(Array(arrived).fill(request.call));
	};

	const expectDone = ({ items, error }: Outcome) => {
		expect(error).toBeUndefined();
		expect(items).toEqual(request.gives.map((json) => ({ json, pairedItem: { item: 0 } })));
		expect(holds()).toEqual(request.leaves);
	};
	const expectError = ({ items, error }: Outcome, tries: number) => {
		expect({
			message: error?.message,
			description: error?.description,
			httpCode: error?.httpCode ?? null,
		}).toEqual({
			message: row.says?.message,
			description: description(row, call, tries),
			httpCode: row.says?.httpCode,
		});
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(items).toEqual([]);
		expect(holds()).toEqual(effectOf(row.made) ? request.leaves : before);
	};

	const isRefused = row.made === 'refused';
	await inflict(watched, row, 'once');
	const met = await run();
	if (row[call] === 'retried') {
		expectDone(met);
		expectSent(2, isRefused ? 1 : 2);
		service.reset();
		await inflict(watched, row, 'always');
		expectError(await run(), TRIES);
		expectSent(TRIES, isRefused ? 0 : TRIES);
	} else {
		if (row[call] === 'waited for') expectDone(met);
		else expectError(met, 1);
		expectSent(1, 1);
	}
	expect(service.violations()).toEqual([]);
}
