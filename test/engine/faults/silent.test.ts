import { chosen } from '../rows';
import { get, useService } from '../sandbox';

const test = useService();

const parameters = {
	resource: 'contact',
	contactTypeId: chosen('21'),
	fields: { mappingMode: 'autoMapInputData', value: null },
	requestOptions: { timeout: 3_000 },
};
const items = Array.from({ length: 60 }, (_value, index) => ({
	json: { email: `new${index}@example.com`, country: '85' },
}));
const message = 'The service did not respond in time';
const mayBeDone = /may have succeeded\. Check the service/;
const notSent = /was not sent, because \d+ requests in a row failed\..* Nothing was changed\.$/;

const silent = (path: string) => {
	test.service.fault({ kind: 'timeout', match: { method: 'POST', path }, times: 1000 });
};
const creates = () => test.service.calls().filter((call) => call === 'POST /contacts/add').length;

describe('a service that accepts connections and never answers', () => {
	it.each([
		[1, 3],
		[5, 12],
		['', 32],
	])('is left alone after a few creates (%p at a time)', async (parallelRequests, most) => {
		const { service } = test;
		silent('/contacts/add');
		const options = { parallelRequests };
		const { failed, items: done } = await service.run(
			{ ...parameters, operation: 'create', options },
			{ items, node: { onError: 'continueErrorOutput' } },
		);
		expect(done).toEqual([]);
		expect(creates()).toBeLessThanOrEqual(most);
		const texts = failed.map(({ json }) => json.error as { message: string; description: string });
		expect(texts.map((error) => error.message)).toEqual(
			items.map((_item, index) => `${message} [item ${index}]`),
		);
		const words = texts.map(({ description }) => description);
		expect(words.filter((text) => mayBeDone.test(text))).toHaveLength(creates());
		expect(words.filter((text) => notSent.test(text))).toHaveLength(60 - creates());
	});

	it('does not keep a sync from the next one', async () => {
		const { service } = test;
		silent('/contacts/add');
		const sync = { ...parameters, operation: 'sync', options: { parallelRequests: 1 } };
		const first = await service.run(sync, { items, node: { onError: 'continueErrorOutput' } });
		expect(creates()).toBe(3);
		expect(service.sent().at(-1)).toEqual(get('/contacts/list'));
		expect(first.failed).toHaveLength(60);
		service.state.faults.clear();
		const second = await service.run(sync, { items });
		expect(second.items).toHaveLength(60);
		expect(second.items.every(({ json }) => json.action === 'created')).toBe(true);
	});
});
