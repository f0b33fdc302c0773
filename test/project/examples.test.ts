import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode } from 'n8n-workflow';
import { packageName } from '../../scripts/lib/demo-data.ts';
import { demoChoices } from '../../scripts/lib/demo-choices.ts';
import type { WorkflowJson } from '../../scripts/lib/n8n-client.ts';

const root = join(__dirname, '..', '..');
const folder = join(root, 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const sections = readdirSync(join(root, 'docs'))
	.filter((file) => file.startsWith('recipes-'))
	.flatMap((file) =>
		readFileSync(join(root, 'docs', file), 'utf8')
			.split(/^##+ /m)
			.slice(1),
	);
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as WorkflowJson;

/** Parameters that name records of an account. */
const namesRecords = /(?:Id|Ids|Utr|Utrs|For)$/;
/** Words that would be sent to everyone as they are. */
const isWritten = /^(?:subject|preheader)$/;

type Value = INode['parameters'][string];
const isLocator = (value: Value): value is { __rl: true; value: string; mode: string } =>
	typeof value === 'object' && value !== null && '__rl' in value;
const isEmpty = (value: Value) =>
	value === '' ||
	(Array.isArray(value) && value.length === 0) ||
	(isLocator(value) && !value.value);
const isExpression = (value: Value) =>
	String(isLocator(value) ? value.value : value).startsWith('=');

const isOurs = ({ type }: INode) => type.startsWith(packageName);

/** The parameters of our nodes that name records or are emailed as they are, and the addresses that others read from. */
const choicesOf = (node: INode): Array<[name: string, value: Value]> =>
	Object.entries(node.parameters).filter(([name, value]) =>
		isOurs(node)
			? isLocator(value) || namesRecords.test(name) || isWritten.test(name)
			: name === 'url' && node.type.endsWith('.httpRequest'),
	);

/** The parameters of other nodes that name something in an account, such as a sheet or an address. */
const othersChoicesOf = (node: INode): Array<[name: string, value: Value]> =>
	isOurs(node) || node.type.endsWith('.dataTable')
		? []
		: Object.entries(node.parameters).filter(
				([name, value]) =>
					(isLocator(value) && name !== 'model') || ['fromEmail', 'toEmail'].includes(name),
			);

/** Left out on purpose: nobody is excluded. */
const optional = new Set(['excludeSpecificRecipientId']);

const targetsOf = ({ connections }: WorkflowJson, name: string): string[] =>
	(connections[name]?.main ?? []).flatMap((links) => (links ?? []).map(({ node }) => node));

/** The nodes that are reached from one, except through those that stop the search. */
function reached(workflow: WorkflowJson, from: string, isStop: (node: INode) => boolean): INode[] {
	const seen = new Set([from]);
	for (const name of seen) {
		const node = workflow.nodes.find((candidate) => candidate.name === name);
		if (node && !isStop(node)) targetsOf(workflow, name).forEach((target) => seen.add(target));
	}
	return workflow.nodes.filter(({ name }) => seen.has(name));
}

/** Waits until the person behind an address has confirmed it on a page that no program opens by mistake. */
const confirmsAddress = ({ type, parameters }: INode) =>
	type.endsWith('.emailSend') &&
	parameters.operation === 'sendAndWait' &&
	parameters.responseType === 'customForm';

it('there are at least twenty examples', () => {
	expect(files.length).toBeGreaterThanOrEqual(20);
});

it('the demo chooses in examples that exist', () => {
	const names = files.map((file) => read(file).name);
	expect(names).toEqual(expect.arrayContaining(Object.keys(demoChoices)));
});

describe.each(files)('%s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const workflow = read(file);
	const { name, nodes } = workflow;
	const [note] = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	const content = String(note?.parameters.content);
	const section = sections.find((candidate) => candidate.startsWith(`${name}\n`)) ?? '';
	const open = nodes.flatMap((node) =>
		choicesOf(node)
			.filter(([parameter, value]) => isEmpty(value) && !optional.has(parameter))
			.map(([parameter]) => ({ node: node.name, parameter })),
	);
	const openElsewhere = nodes.flatMap((node) =>
		othersChoicesOf(node)
			.filter(([, value]) => isEmpty(value))
			.map(() => node.name),
	);

	it('has its line in the list of examples, and its section in the recipes', () => {
		const anchor = name
			.toLowerCase()
			.replace(/[^\w -]/g, '')
			.replaceAll(' ', '-');
		const lines = readme.split('\n').filter((line) => line.includes(`(${file})`));
		expect(lines).toEqual([
			expect.stringMatching(new RegExp(`\\]\\(../docs/recipes-\\w+\\.md#${anchor}\\)`)),
		]);
		expect(section).toContain(`(../examples/${file})`);
		expect(section).toMatch(/!\[.+\]\(images\/recipe-[\w-]+\.webp\)/);
		expect(section).toContain('**What to choose:**');
		expect(section).toContain('**What to know:**');
	});

	it('says on a note what it does and what to change first', () => {
		expect(content).toEqual(expect.stringContaining(`## ${name}\n`));
		expect(content).toEqual(expect.stringContaining('**Before you publish it:**'));
	});

	it('carries no record of any account', () => {
		const carried = nodes.flatMap((node) =>
			[...choicesOf(node), ...othersChoicesOf(node)].filter(
				([, value]) => !isEmpty(value) && !isExpression(value),
			),
		);
		expect(carried).toEqual([]);
		expect(text).not.toMatch(/cachedResult(?:Name|Url)": "(?!gpt)|\b(?:contacts|segments)_\d/);
	});

	it('leaves open what the demo chooses, and nothing else', () => {
		const chosen = Object.entries(demoChoices[name] ?? {}).flatMap(([node, parameters]) =>
			Object.keys(parameters).map((parameter) => ({ node, parameter })),
		);
		expect(open).toEqual(expect.arrayContaining(chosen));
		expect(open).toHaveLength(chosen.length);
	});

	it('names each open choice on its note and in its section of the recipes', () => {
		const named = new Set([...open.map(({ node }) => node), ...openElsewhere]);
		const [, listed = ''] = section.split('**What to choose:**');
		for (const node of named) {
			expect(content).toContain(`*${node}*`);
			expect(listed).toContain(`_${node}_`);
		}
	});

	it('says what to do if the source has no column for the country', () => {
		const mapsByName = ({ parameters }: INode) =>
			JSON.stringify(parameters.fields ?? {}).includes('"autoMapInputData"');
		const writesContacts = ({ parameters }: INode) =>
			parameters.resource === 'contact' &&
			['sync', 'upsert'].includes(String(parameters.operation));
		if (!nodes.some((node) => isOurs(node) && writesContacts(node) && mapsByName(node))) return;
		expect(content).toContain('*Country for New Contacts*');
		expect(section).toContain('_Country for New Contacts_');
	});

	it('reads no file of the machine', () => {
		expect(nodes.filter(({ type }) => /readWriteFile|readBinaryFile/.test(type))).toEqual([]);
	});

	it('takes no form from just anybody, unless the address is confirmed before it counts', () => {
		const forms = nodes.filter(({ type }) => type.endsWith('.formTrigger'));
		const isPublic = ({ parameters }: INode) => parameters.authentication !== 'basicAuth';
		for (const form of forms.filter(isPublic)) {
			const unconfirmed = reached(workflow, form.name, confirmsAddress);
			expect(unconfirmed.some(confirmsAddress)).toBe(true);
			expect(unconfirmed.filter(isOurs)).toEqual([]);
		}
	});

	it('says how to connect the error workflow, unless somebody watches it run', () => {
		const watched = /\.(?:form|errorTrigger|chatTrigger)$/;
		if (nodes.some(({ type }) => watched.test(type))) return;
		const failing = read('tell-the-team-when-a-workflow-fails.json').name;
		expect(content).toContain(`choose *${failing}* as the Error Workflow`);
	});

	it('has no settings of one n8n, and connects each error output', () => {
		expect(workflow.settings).toEqual({ executionOrder: 'v1' });
		const withErrorOutput = nodes.filter(({ onError }) => onError === 'continueErrorOutput');
		const loose = withErrorOutput.filter(
			(node) => (workflow.connections[node.name]?.main?.[1] ?? []).length === 0,
		);
		expect(loose).toEqual([]);
	});

	it('holds no secret: its credentials have a name only, and no node has a key', () => {
		const credentials = nodes.flatMap((node) => Object.values(node.credentials ?? {}));
		expect(credentials.map(({ id }) => id).filter((id) => id !== '')).toEqual([]);
		expect(text).not.toMatch(/publicKey|secretKey|apiKey|password|Bearer|https?:\/\//i);
	});
});
