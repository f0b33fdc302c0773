import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { stringify } from 'yaml';

import { answers } from '../../sandbox/openapi/answers.ts';
import { openApi } from '../../sandbox/openapi/document.ts';
import { endpoints } from '../../sandbox/endpoints/index.ts';
import type { Answer } from '../../sandbox/faults.ts';
import type { Entry } from '../../sandbox/journal.ts';
import { comparison } from '../openApi';

const path = join(__dirname, '..', '..', 'docs', 'dev', 'openapi.yaml');

it('docs/dev/openapi.yaml describes the endpoints of the sandbox (npm run reference writes it)', () => {
	const text = stringify(openApi(), { aliasDuplicateObjects: false, lineWidth: 100 });
	if (process.env.EMAIL_MARKETING_REFERENCE === 'write') writeFileSync(path, text);
	expect(readFileSync(path, 'utf8')).toBe(text);
});

it('describes no endpoint that the sandbox does not have', () => {
	const numbers = endpoints.map(({ number }) => number);
	expect(Object.keys(answers).toSorted()).toEqual(numbers.toSorted());
});

const answered = (json: unknown): Answer => ({
	status: 200,
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify(json),
});
const add = { method: 'POST', path: '/unsubscribes-groups/manually-add', query: {}, fault: null };
const fields = { unsubscribe_groups_id: '51', email_address: 'a@example.com' };
const added = { status: 'success', message: 'Added Successfully' };

it.each<[string, Partial<Entry>, unknown, string[]]>([
	['nothing', { ...add, body: fields }, added, []],
	['a failure', { ...add, body: fields }, { status: 'failed', errors: 'Record Not Found' }, []],
	[
		'a field of another type',
		{ ...add, body: { ...fields, unsubscribe_groups_id: 'all' } },
		added,
		['body/unsubscribe_groups_id must be integer'],
	],
	[
		'an unknown field',
		{ ...add, query: { page: '2' }, body: fields },
		added,
		['query must NOT have additional properties'],
	],
	[
		'a missing field of the response',
		{ method: 'GET', path: '/single-send/list', query: {}, body: null, fault: null },
		{ status: 'success', message: {} },
		["answer/message must have required property 'singleSends'"],
	],
])('differs in %s', async (_name, entry, json, expected) => {
	const differences = await comparison();
	const found = differences(entry as Entry, answered(json));
	const path = `${entry.method} ${entry.path}: `;
	expect(found).toEqual(expect.arrayContaining(expected.map((one) => path + one)));
	expect(found.length > 0).toBe(expected.length > 0);
});
