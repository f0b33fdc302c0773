import fc from 'fast-check';
import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import './operations';
import { methods } from '../../nodes/EmailMarketing/methods';
import { editorContext, keys, type NodeError } from '../engine/engine';
import { automation } from '../engine/records';
import { chosen } from '../engine/rows';
import { once } from '../engine/sandbox';
import { spoilt, spoiltReply, type Spoilt } from './answers';
import { json, text } from './arbitraries';
import { fuzz } from './fuzz';
import { useService } from './service';
import { expectError } from './words';

const service = useService();

type Method = (this: ILoadOptionsFunctions, ...given: unknown[]) => Promise<unknown>;

const all = [
	...Object.entries(methods?.listSearch ?? {}),
	...Object.entries(methods?.loadOptions ?? {}),
	...Object.entries(methods?.resourceMapping ?? {}),
] as Array<[string, Method]>;

/** What the lists depend on. */
const parents: IDataObject = {
	segmentId: chosen('301'),
	unsubscribeGroupId: chosen('51'),
	automationUtr: chosen(automation.utr),
	countryId: chosen('85'),
	stateId: chosen('1'),
};

interface Case {
	method: string;
	answer?: Spoilt;
	filter?: string;
	token?: string;
	/** A parameter that holds something else. */
	odd?: { name: string; value: unknown };
}

const cases: fc.Arbitrary<Case> = fc.record(
	{
		method: fc.constantFrom(...all.map(([name]) => name)),
		answer: spoilt,
		filter: text,
		token: fc.constantFrom('0', '500', '-1', 'x', '1e9', ''),
		odd: fc.record({
			// Resource and operation take no expressions.
			name: fc.constantFrom(...Object.keys(parents), 'options', 'updateFields'),
			value: json,
		}),
	},
	{ requiredKeys: ['method'] },
);

/** The names of the empty value. */
const noneChosen = ['Choose a Country', 'As Returned by the Service'];

interface Entry {
	name?: unknown;
	value?: unknown;
	displayName?: unknown;
	description?: unknown;
}

/** Why a list cannot be loaded: an entry without a value. */
const isProblem = ({ name, value }: Entry): boolean =>
	value === '' && !noneChosen.includes(String(name));

function expectChoices(given: unknown): void {
	const lists = Array.isArray(given) ? [given] : Object.values(given as Record<string, unknown>);
	const entries = lists.filter((list) => Array.isArray(list)).flat() as Entry[];
	for (const { name: message, description } of entries.filter(isProblem)) {
		expectError({ message, description } as Partial<NodeError>);
	}
	for (const { name, value, displayName } of entries.filter((entry) => !isProblem(entry))) {
		const shown = name ?? displayName;
		if (typeof shown !== 'string' || shown.trim() === '') throw new Error('A choice has no name');
		if (/\[object|\bundefined\b/.test(shown)) throw new Error(`A choice is called ${shown}`);
		const isNone = value === '' && noneChosen.includes(shown);
		if (name !== undefined && !isNone && (typeof value !== 'string' || value === '')) {
			throw new Error(`A choice has no value: ${shown}`);
		}
	}
}

fuzz('editor', cases, async ({ method, answer, filter, token, odd }) => {
	service.recorder.answer = ({ method: verb, url }) => {
		const call = `${verb} ${url.split('?')[0]?.replace('/api', '')}`;
		const usual = service.usual.get(call) ?? '';
		return answer === undefined ? { body: usual } : spoiltReply(usual, answer);
	};
	const parameters: IDataObject = {
		resource: 'contact',
		operation: 'create',
		options: once,
		...parents,
		...(odd && { [odd.name]: odd.value as IDataObject }),
	};
	const context = editorContext(parameters, { baseUrl: service.recorder.baseUrl, ...keys });
	const run = all.find(([name]) => name === method)?.[1] as Method;

	const result = await run.call(context as never, filter, token).then(
		(given) => ({ given }),
		(error: NodeError) => ({ error }),
	);

	service.recorder.take();
	if ('given' in result) {
		expectChoices(result.given);
		if (JSON.stringify(result.given).includes(keys.secretKey)) throw new Error('A key came out');
		return;
	}
	const { error } = result;
	if (error.name !== 'NodeApiError' && error.name !== 'NodeOperationError') throw error;
	expectError(error);
	if (JSON.stringify(error).includes(keys.secretKey)) throw new Error('A key came out');
});
