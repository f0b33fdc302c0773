import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { packageName } from '../../scripts/lib/demo-data.ts';
import { demoChoices } from '../../scripts/lib/demo-choices.ts';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const readme = readFileSync(join(folder, 'README.md'), 'utf8');

/** Parameters that name records of an account. */
const namesRecords = /(?:Id|Ids|Utr|Utrs|For)$/;

type Value = INode['parameters'][string];
const isLocator = (value: Value): value is { __rl: true; value: string } =>
	typeof value === 'object' && value !== null && '__rl' in value;
const isEmpty = (value: Value) =>
	value === '' ||
	(Array.isArray(value) && value.length === 0) ||
	(isLocator(value) && !value.value);
const isExpression = (value: Value) =>
	String(isLocator(value) ? value.value : value).startsWith('=');

/** The parameters of our nodes that name records, and the addresses that others read from. */
const choicesOf = ({ type, parameters }: INode): Array<[name: string, value: Value]> =>
	Object.entries(parameters).filter(([name, value]) =>
		type.startsWith(packageName)
			? isLocator(value) || namesRecords.test(name)
			: name === 'url' && type.endsWith('.httpRequest'),
	);

/** Left out on purpose: nobody is excluded. */
const optional = new Set(['excludeSpecificRecipientId']);

it('there are at least eight examples', () => {
	expect(files.length).toBeGreaterThanOrEqual(8);
});

it('the demo chooses in examples that exist', () => {
	const names = files.map((file) => {
		const { name } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;
		return name;
	});
	expect(names).toEqual(expect.arrayContaining(Object.keys(demoChoices)));
});

describe.each(files)('%s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const { name, nodes } = JSON.parse(text) as WorkflowJson;
	const [note] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');

	it('has its line in the list of examples', () => {
		const lines = readme.split('\n').filter((line) => line.includes(`(${file})`));
		expect(lines).toEqual([
			expect.stringMatching(/^\| \[.+\]\(.+\.json\) +\| \S.{20,} +\| \S.{10,} +\|$/),
		]);
	});

	it('says on a note what it does and what to change first', () => {
		expect(note?.parameters.content).toEqual(expect.stringContaining(`## ${name}\n`));
		expect(note?.parameters.content).toEqual(expect.stringContaining('**Before you publish it:**'));
	});

	it('carries no record of any account', () => {
		const carried = nodes.flatMap((node) =>
			choicesOf(node).filter(([, value]) => !isEmpty(value) && !isExpression(value)),
		);
		expect(carried).toEqual([]);
		expect(text).not.toMatch(/cachedResult(?:Name|Url)": "(?!gpt)|\b(?:contacts|segments)_\d/);
	});

	it('leaves open what the demo chooses, names it on its note, and nothing else', () => {
		const open = nodes.flatMap((node) =>
			choicesOf(node)
				.filter(([parameter, value]) => isEmpty(value) && !optional.has(parameter))
				.map(([parameter]) => `${node.name}: ${parameter}`),
		);
		const chosen = Object.entries(demoChoices[name] ?? {}).flatMap(([node, parameters]) =>
			Object.keys(parameters).map((parameter) => `${node}: ${parameter}`),
		);
		expect(open.sort()).toEqual(chosen.sort());
		const unnamed = Object.keys(demoChoices[name] ?? {}).filter(
			(node) => !String(note?.parameters.content).includes(`*${node}*`),
		);
		expect(unnamed).toEqual([]);
	});

	it('reads no file of the machine, and takes no form from just anybody', () => {
		expect(nodes.filter(({ type }) => /readWriteFile|readBinaryFile/.test(type))).toEqual([]);
		const forms = nodes.filter(({ type }) => type.endsWith('.formTrigger'));
		expect(forms.filter(({ parameters }) => parameters.authentication !== 'basicAuth')).toEqual([]);
	});

	it('holds no secret: its credentials have a name only, and no node has a key', () => {
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		expect(credentials.map(({ id }) => id).filter((id) => id !== '')).toEqual([]);
		expect(text).not.toMatch(/publicKey|secretKey|apiKey|password|Bearer|https?:\/\//i);
	});
});
