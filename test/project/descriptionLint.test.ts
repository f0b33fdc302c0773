import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import type { INodeProperties } from 'n8n-workflow';

import { EmailMarketing } from '../../nodes/EmailMarketing/EmailMarketing.node';
import { EmailMarketingTrigger } from '../../nodes/EmailMarketing/EmailMarketingTrigger.node';

const root = join(__dirname, '..', '..');

/** Numbers stand by their size, and deleting one recipient before deleting many. */
const alphabetical = 'n8n-nodes-base/node-param-options-type-unsorted-items';

/** What n8n's verification says of the fields as n8n gets them, with all that code has put together. */
function findingsIn(properties: INodeProperties[]): string[] {
	const literal = JSON.stringify(properties, (key, value: unknown) =>
		key === 'routing' ? undefined : value,
	).replace(/"(\w+)":/g, '$1:');
	const { stdout } = spawnSync(
		process.execPath,
		[
			join(root, 'node_modules/eslint/bin/eslint.js'),
			...['--format', 'json', '--rule', JSON.stringify({ [alphabetical]: 'off' })],
			...['--stdin', '--stdin-filename', 'nodes/EmailMarketing/resources/evaluated.ts'],
		],
		{
			cwd: root,
			encoding: 'utf8',
			input: `import type { INodeProperties } from 'n8n-workflow';\nexport const properties: INodeProperties[] = ${literal};\n`,
		},
	);
	const [file] = JSON.parse(stdout) as Array<{
		messages: Array<{ ruleId: string; message: string }>;
	}>;
	return (file?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

it.each([
	['node', new EmailMarketing()],
	['trigger', new EmailMarketingTrigger()],
])('passes the verification of n8n with all fields of the %s', (_name, { description }) => {
	expect(findingsIn(description.properties)).toEqual([]);
});

it('finds what is wrong with a field', () => {
	const findings = findingsIn([
		{ displayName: 'sender', name: 'senderId', type: 'string', default: 0, description: 'It.' },
	]);
	expect(findings.map((finding) => finding.replace(/:.*/, ''))).toEqual(
		expect.arrayContaining([
			'n8n-nodes-base/node-param-display-name-miscased',
			'n8n-nodes-base/node-param-default-wrong-for-string',
		]),
	);
});
