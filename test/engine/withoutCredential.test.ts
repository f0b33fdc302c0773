import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys } from './engine';
import { useService } from './sandbox';

const test = useService();
const reopen = { name: 'Close and reopen this node to load the list', value: '' };
const { listSearch = {}, loadOptions = {}, resourceMapping = {} } = methods ?? {};
const ofFields = ['getOutputFields', 'getSortFields'];

/** A node as n8n has it before it has passed on a credential. */
const context = (parameters = {}) =>
	editorContext(parameters, { baseUrl: test.service.baseUrl, ...keys }, {});

afterEach(() => expect(test.service.calls()).toEqual([]));

it.each(Object.keys(listSearch).filter((name) => name !== 'searchTimeZones'))(
	'%s says how to load the list',
	async (name) => {
		const found = await listSearch[name]?.call(context(), 'anything');
		expect(found).toEqual({ results: [reopen] });
	},
);

it('time zones are listed, because they do not come from the service', async () => {
	const found = await listSearch.searchTimeZones?.call(context(), 'berlin');
	expect(found?.results).toEqual([{ name: 'Europe/Berlin', value: 'Europe/Berlin' }]);
});

it.each(Object.keys(loadOptions).filter((name) => !ofFields.includes(name)))(
	'%s says how to load the list',
	async (name) => {
		const load = loadOptions[name] as (this: ILoadOptionsFunctions) => Promise<unknown>;
		expect(await load.call(context())).toEqual([reopen]);
	},
);

it.each(['create', 'update'])('the mapper of %s has its fields', async (operation) => {
	const fields = await resourceMapping.getContactFields?.call(context({ operation }));
	expect(fields?.fields).toContainEqual(
		expect.objectContaining({ id: 'country', displayName: 'Country', type: 'string' }),
	);
});
