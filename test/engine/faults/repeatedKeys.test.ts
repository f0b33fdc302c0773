import { keys } from '../engine';
import { useService } from '../sandbox';
import { callers } from './callers';
import { keysIn, Watch } from './keys';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('./pauses').withoutPauses(),
);

const test = useService();
const watch = new Watch();
beforeEach(() => watch.start());
afterEach(() => expect(keysIn(watch.end())).toEqual([]));

const said = `The caller ${keys.secretKey} of ${keys.publicKey} is blocked`;
const shown = 'The caller *** of *** is blocked';

/** A service that repeats the keys in its reason, as 500 so that no kind of failure replaces it. */
const repeat = (errors: unknown) =>
	test.service.fault({ kind: 'failed', status: 500, errors, times: 99 });

describe.each(Object.keys(callers))('the keys that a service repeats: %s', (name) => {
	it.each<[string, unknown]>([
		['a text', said],
		['the reasons of a field', { server: [said] }],
		['the name of a field', { [said]: [said] }],
	])('%s', async (_what, errors) => {
		repeat(errors);
		const { error, everything } =
			(await callers[name]?.(test.service, { baseUrl: test.service.baseUrl })) ?? {};
		watch.add(everything);
		expect(error?.message).toContain(shown);
	});
});

it('an item of the error output does not have them, either', async () => {
	repeat(said);
	const outcome = await test.service.run(
		{ resource: 'contactType', operation: 'create', name: 'Wholesale' },
		{ node: { onError: 'continueErrorOutput' } },
	);
	watch.add(outcome);
	expect(JSON.stringify(outcome.failed)).toContain(shown);
});
