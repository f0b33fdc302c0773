// Creating contacts in a service that takes only so many requests in a second.
import { automatic, batches, COUNT, create, dragged, http, items } from './create.ts';
import { resetContacts } from './contacts.ts';
import type { Figures, Service } from './stage.ts';
import { work } from './work.ts';

const PER_SECOND = 50;
const SECOND = 1_000;

/** A failed item of n8n's node is an item with its error: those that the service refused are not tried again. */
const goOn = { onError: 'continueRegularOutput' as const };

async function refusedLater(service: Service): Promise<number> {
	const entries = await service.journal();
	const times = entries.map(({ time }) => Date.parse(time));
	const first = Math.min(...times);
	return entries.filter(({ status }, index) => {
		const sinceFirst = (times[index] ?? NaN) - first;
		return status === 429 && sinceFirst > SECOND;
	}).length;
}

export const limiting = work({
	name: 'rate-limit',
	title: `Create ${COUNT.toLocaleString('en')} contacts at a rate limit of ${PER_SECOND} requests per second`,
	contestants: {
		automatic: 'This node, mapped automatically',
		http: 'HTTP Request, dragged in, all at once',
		httpBatches: `HTTP Request, dragged in, batches of ${PER_SECOND} every second`,
	},
	rounds: 1,
	targets: [
		{
			what: 'this node ÷ the time that the limit needs for the creates',
			most: 1.05,
			of: ({ automatic }) => automatic.ms / (((automatic.created ?? NaN) / PER_SECOND) * SECOND),
		},
		{
			what: 'requests of this node that are refused after the first second',
			most: 0,
			of: ({ automatic }) => automatic.refusedLater ?? NaN,
		},
	],
	async prepare(stage) {
		const service = await stage.service('rate-limit');
		const runOf = async (name: string, node: ReturnType<typeof create>) => {
			const run = await stage.workflow(`rate-limit-${name}`, service, [{ ...node, ...goOn }]);
			return async (): Promise<Figures> => {
				await resetContacts(service, 0);
				await service.configure({ rateLimit: PER_SECOND });
				const figures = await run(items, COUNT);
				const { contacts } = await service.counts();
				return { ...figures, created: contacts, refusedLater: await refusedLater(service) };
			};
		};
		return {
			automatic: await runOf('automatic', create(automatic)),
			http: await runOf('http', http(service, dragged)),
			httpBatches: await runOf('http-batches', http(service, dragged, batches(PER_SECOND, SECOND))),
		};
	},
});
