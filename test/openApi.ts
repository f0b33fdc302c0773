import Fastify from 'fastify';

import { openApi } from '../sandbox/openapi/document.ts';
import type { Answer } from '../sandbox/faults.ts';
import type { Entry, Fields } from '../sandbox/journal.ts';
import type { Schema } from '../sandbox/params.ts';

interface Operation {
	parameters?: Array<{ name: string; required: boolean; schema: Schema }>;
	requestBody?: { content: Record<string, { schema: Schema }> };
	responses: { 200: { content: { 'application/json': { schema: Schema } } } };
}

interface Validate {
	(data: unknown): boolean;
	errors?: Array<{ instancePath: string; message?: string }> | null;
}

const { components, paths } = openApi();
const options = { strict: false, validateFormats: false, removeAdditional: false } as const;

type Compile = (schema: Schema) => Validate;

/** @param coerceTypes for forms and queries, which hold texts */
async function newCompiler(coerceTypes: boolean): Promise<Compile> {
	const app = Fastify({ ajv: { customOptions: { ...options, coerceTypes } } });
	app.addSchema({ $id: 'openapi', components });
	app.post('/', { schema: { body: { type: 'object' } } }, () => null);
	await app.ready();
	const { validatorCompiler } = app;
	const compiled = new Map<string, Validate>();
	return (schema) => {
		const text = JSON.stringify(schema);
		const check =
			compiled.get(text) ??
			(validatorCompiler?.({ schema, method: 'POST', url: '/' }) as unknown as Validate);
		compiled.set(text, check);
		return check;
	};
}

/** Those of all test files of a worker: compiling takes longer than many a file. */
const compilers = ((
	globalThis as { openApiCompilers?: Map<string, Promise<Compile>> }
).openApiCompilers ??= new Map());

function compiler(coerceTypes: boolean): Promise<Compile> {
	const key = JSON.stringify([coerceTypes, components]);
	const known = compilers.get(key) ?? newCompiler(coerceTypes);
	compilers.set(key, known);
	return known;
}

/** References lead from the answer into the document that it is part of. */
const within = (schema: Schema): Schema =>
	JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as Schema;

/** How a request, and its answer if that is given, differ from docs/dev/openapi.yaml. */
export type Differences = (entry: Entry, answer?: Answer) => string[];

/** Compares requests and answers of the paths that docs/dev/openapi.yaml has. */
export async function comparison(): Promise<Differences> {
	const ofTexts = await compiler(true);
	const ofAnswers = await compiler(false);
	const compile = ({ parameters = [], requestBody, responses }: Operation) => {
		const body = requestBody && Object.values(requestBody.content)[0]?.schema;
		return {
			query: ofTexts({
				type: 'object',
				required: parameters.filter(({ required }) => required).map(({ name }) => name),
				properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
				additionalProperties: false,
			}),
			body: body && ofTexts(body),
			answer: ofAnswers(within(responses[200].content['application/json'].schema)),
		};
	};
	const compiled = new Map<string, ReturnType<typeof compile>>();
	return ({ method, path, fault, query, body }, answer) => {
		const operation = paths[path]?.[method.toLowerCase()] as Operation | undefined;
		if (!operation) return [];
		const name = `${method} ${path}`;
		const checks = compiled.get(name) ?? compile(operation);
		compiled.set(name, checks);
		const isJson = answer?.headers['content-type'] === 'application/json' && answer.status !== 429;
		return [
			...problems(checks.query, 'query', texts(query)),
			...(body === null ? [] : problems(checks.body, 'body', texts(body))),
			...(fault === null && isJson
				? problems(checks.answer, 'answer', JSON.parse(String(answer.body)))
				: []),
		].map((problem) => `${name}: ${problem}`);
	};
}

/** Files are described by what they are. */
const texts = (fields: Fields) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name,
			typeof value === 'object' && 'filename' in value ? value.filename : value,
		]),
	);

function problems(check: Validate | undefined, what: string, data: unknown): string[] {
	if (check === undefined || check(data)) return [];
	return (check.errors ?? []).map(
		({ instancePath, message }) => `${what}${instancePath} ${message ?? ''}`,
	);
}
