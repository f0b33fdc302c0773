import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';

import { readCredentials } from '../../../nodes/EmailMarketing/service/credential';
import { Cancelled } from '../../../nodes/EmailMarketing/util/pool';

interface Given {
	/** The credential of each item; an error cannot be read. */
	credentials: Array<ICredentialDataDecryptedObject | Error>;
	/** Whether it has an expression, for which n8n takes the item from the list. */
	hasExpression?: boolean;
	/** An n8n that accepts numbers only as the index. */
	acceptsNumbersOnly?: boolean;
	/** The execution is canceled after so many reads. */
	canceledAfter?: number;
	hasNoSignal?: boolean;
}

/** Reads the credentials as n8n would hand them out, and counts the reads. */
async function read(given: Given) {
	const { credentials, hasExpression = false, acceptsNumbersOnly = false, hasNoSignal } = given;
	const { canceledAfter = Infinity } = given;
	const canceled = new AbortController();
	let [reads, atOnce, mostAtOnce] = [0, 0, 0];
	const context = {
		getExecutionCancelSignal: () => (hasNoSignal ? undefined : canceled.signal),
		async getCredentials(type: string, index: number) {
			expect(type).toBe('emailMarketingApi');
			if (++reads === canceledAfter) canceled.abort();
			mostAtOnce = Math.max(mostAtOnce, ++atOnce);
			await Promise.resolve();
			atOnce--;
			if (acceptsNumbersOnly && typeof index !== 'number') throw new Error('No number');
			// Without an expression, n8n does not look at the item.
			const credential = credentials[hasExpression || typeof index === 'number' ? index : 0];
			if (credential === undefined || credential instanceof Error) throw credential;
			return { ...credential };
		},
	} as unknown as IExecuteFunctions;
	const result = await readCredentials(context, credentials.length);
	return { result, reads, mostAtOnce };
}

const [a, b] = [{ publicKey: 'a' }, { publicKey: 'b' }];
const many = (count: number) => Array.from({ length: count }, () => a);

it.each([
	['one item', [a], {}, 1],
	['one item, for which it has an expression', [a], { hasExpression: true }, 1],
	['many items', many(500), {}, 1],
	['many items, without a signal', many(2), { hasNoSignal: true }, 1],
])('the credential of %s is read once', async (_what, credentials, rest, reads) => {
	expect(await read({ credentials, ...rest })).toMatchObject({ result: [a], reads });
});

it('one that cannot be read is the error for all items', async () => {
	const error = new Error('Gone');
	expect(await read({ credentials: [error, error, error] })).toMatchObject({
		result: [error],
		reads: 2,
	});
});

it('one with an expression is read for each item, at most 20 at a time', async () => {
	const { result, reads, mostAtOnce } = await read({
		credentials: many(45),
		hasExpression: true,
		hasNoSignal: true,
	});
	expect([result.length, reads, mostAtOnce]).toEqual([45, 46, 20]);
	expect(new Set(result).size).toBe(1);
	expect(result[0]).toEqual(a);
});

it('those of one account are the same object', async () => {
	const credentials = [a, b, a, b];
	const { result } = await read({ credentials, hasExpression: true });
	expect(result).toEqual(credentials);
	const places = new Map([...new Set(result)].map((one, index) => [one, index]));
	expect(result.map((one) => places.get(one))).toEqual([0, 1, 0, 1]);
});

it('each item that cannot read it has its own error', async () => {
	const [first, second] = [new Error('Gone'), new Error('Gone')];
	const { result } = await read({ credentials: [a, first, a, second], hasExpression: true });
	expect([result[1], result[3]].map((one) => [first, second].indexOf(one as Error))).toEqual([
		0, 1,
	]);
	expect(result[2]).toBe(result[0]);
});

it('it is read for each item if n8n does not show whether it has an expression', async () => {
	const { result } = await read({ credentials: [a, b, a], acceptsNumbersOnly: true });
	expect(result).toEqual([a, b, a]);
});

it('no more is read after the execution was canceled', async () => {
	const reading = read({ credentials: many(100), hasExpression: true, canceledAfter: 10 });
	await expect(reading).rejects.toThrow(Cancelled);
});
