import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../sandbox/faults.ts';
import type { Entry, Fields } from '../../sandbox/journal.ts';
import type { Sandbox } from '../../sandbox/server.ts';
import type { Settings } from '../../sandbox/settings.ts';
import { isFormShown } from '../../sandbox/wireForm.ts';
import { comparison, type Differences } from '../openApi';
import { runNode, type Execution, type Outcome, type Step } from './engine';
import { asIfBothMethods, compatibilityOf } from './readings/underReading';
import { NOW, plant } from './records';
import { startEmptySandbox } from './startSandbox';

/** A request as the service got it; both keys were correct. */
export interface Sent {
	method: string;
	path: string;
	query: Fields;
	/** Without its parameters, such as the boundary of a form. */
	contentType: string | null;
	body: Fields | null;
}

/** For tests of one failure and the words for it. */
export const once = { retryTemporaryFailures: false };

type Run = Partial<Omit<Execution, 'steps' | 'baseUrl'>> & Pick<Step, 'node' | 'type'>;

/** The sandbox of a test file, with the records of `records.ts` and a clock that stands still. */
export class Service {
	readonly sandbox: Sandbox;
	/** How requests and answers differ from docs/dev/openapi.yaml. */
	differences: string[] = [];
	/** For tests whose records, and requests that come from them, have a form that the reference does not show. */
	holdsOddRecords = false;

	private readonly relied: Partial<Settings>;

	constructor(sandbox: Sandbox, differences: Differences, relied: Partial<Settings>) {
		this.sandbox = sandbox;
		this.relied = relied;
		sandbox.state.journal.observe = (entry, answer) => {
			if (this.holdsOddRecords) return;
			const shown = isFormShown(this.state.settings) ? answer : undefined;
			this.differences.push(...differences(entry, shown));
		};
	}

	reset(): void {
		this.differences = [];
		this.holdsOddRecords = false;
		const { state } = this.sandbox;
		state.reset('empty', []);
		state.clock.freeze(true);
		state.clock.set(NOW);
		plant(state.tables);
	}

	get state() {
		return this.sandbox.state;
	}

	get baseUrl(): string {
		return this.sandbox.baseUrl;
	}

	/**
	 * Runs one Email Marketing node against this service; without the checks before sending, which
	 * have tests of their own, unless they are asked for.
	 */
	async run(given: IDataObject, rest: Run = {}): Promise<Outcome> {
		const checked = given.resource === 'singleSend' || given.resource === 'automation';
		const options = {
			...(checked && { preflight: false }),
			...compatibilityOf(this.state.settings),
			...(given.options as IDataObject),
		};
		const parameters = { ...given, options };
		return await runNode({ baseUrl: this.baseUrl, parameters, ...rest });
	}

	fault(fault: Fault): void {
		this.state.faults.add(fault);
	}

	get journal(): Entry[] {
		const { entries } = this.state.journal;
		return this.relied.methods === undefined ? asIfBothMethods(entries) : entries;
	}

	/** All requests so far, whole. */
	sent(): Sent[] {
		return this.journal.map(({ method, path, query, contentType, body, keys }) => {
			if (keys.publicKey !== 'correct' || keys.secretKey !== 'correct') {
				throw new Error(`${method} ${path} came without the right keys`);
			}
			return { method, path, query, contentType: contentType?.split(';')[0] ?? null, body };
		});
	}

	/** Method and path of all requests so far. */
	calls(): string[] {
		return this.journal.map(({ method, path }) => `${method} ${path}`);
	}

	/** A test that plants records of another form sets `holdsOddRecords`. */
	expectDescribed(): void {
		expect(this.differences).toEqual([]);
	}

	violations(): string[] {
		return this.state.journal.violations.map(({ path, rule, detail }) =>
			[path, rule, detail].join(' '),
		);
	}
}

/**
 * One service per test file, as it was at first before each test.
 *
 * @param relied settings that the tests of the file rely on, under whichever reading they run
 */
export function useService(relied: Partial<Settings> = {}): { service: Service } {
	const holder = {} as { service: Service };
	beforeAll(async () => {
		// What is empty must be left out.
		const sandbox = await startEmptySandbox({ emptyOptional: 'refuse', ...relied });
		holder.service = new Service(sandbox, await comparison(), relied);
	});
	beforeEach(() => holder.service.reset());
	afterEach(() => holder.service.expectDescribed());
	afterAll(async () => await holder.service.sandbox.close());
	return holder;
}

type Values = Record<string, string>;

const request = (
	method: string,
	path: string,
	query: Values,
	contentType: string | null,
	body: Values | null,
): Sent => ({ method, path, query, contentType, body });

/** The requests that a test expects. */
export const get = (path: string, query: Values = {}): Sent =>
	request('GET', path, query, null, null);

export const del = (path: string, query: Values): Sent =>
	request('DELETE', path, query, null, null);

export const multipart = (path: string, body: Values, query: Values = {}): Sent =>
	request('POST', path, query, 'multipart/form-data', body);

export const urlencoded = (path: string, body: Values): Sent =>
	request('POST', path, {}, 'application/x-www-form-urlencoded', body);

/** A POST that carries nothing in its body. */
export const emptyPost = (path: string, query: Values): Sent =>
	request('POST', path, query, null, null);
