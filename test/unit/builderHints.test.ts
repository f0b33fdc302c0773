import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateNodeDescription } from 'n8n-core/dist/nodes-loader/validate-node-description';
import type { INodeTypeDescription } from 'n8n-workflow';

import actionCodex from '../../nodes/EmailMarketing/EmailMarketing.node.json';
import triggerCodex from '../../nodes/EmailMarketing/EmailMarketingTrigger.node.json';
import { EmailMarketingTrigger } from '../../nodes/EmailMarketing/EmailMarketingTrigger.node';
import { resourceHints } from '../../nodes/EmailMarketing/resources/fields/builderHints';
import manifest from '../../package.json';
import { node, offered, optionsOf, properties } from './operations';

const root = join(__dirname, '..', '..');
const trigger = new EmailMarketingTrigger().description;
const nodes: Array<[string, INodeTypeDescription, typeof actionCodex | typeof triggerCodex]> = [
	['the action', node.description, actionCodex],
	['the trigger', trigger, triggerCodex],
];

/** "Contact: Create or Update", "Campaign: Check" */
const operationNames = optionsOf(properties.find(({ name }) => name === 'resource')).flatMap(
	(resource) =>
		offered
			.filter((one) => one.resource === resource.value)
			.map(({ option }) => `${resource.name.replace(/ \(.*\)$/, '')}: ${option.name}`),
);

describe.each(nodes)('the hints of %s for the AI workflow builder', (_, description) => {
	it('stand where n8n renders them', () => {
		expect(() => validateNodeDescription(description)).not.toThrow();
	});

	it('say something short, of nodes that exist', () => {
		const { searchHint = '', relatedNodes = [] } = description.builderHint ?? {};
		expect(searchHint.length).toBeGreaterThan(100);
		expect(searchHint.length).toBeLessThan(700);
		const own = [node.description, trigger].map(({ name }) => `${manifest.name}.${name}`);
		const unknown = relatedNodes.filter(
			({ nodeType }) => !nodeType.startsWith('n8n-nodes-base.') && !own.includes(nodeType),
		);
		expect(relatedNodes.length).toBeGreaterThan(0);
		expect(unknown).toEqual([]);
		expect(relatedNodes.map(({ relationHint }) => relationHint)).not.toContain('');
	});
});

it('names only operations that the node has', () => {
	const texts = [
		node.description.builderHint?.searchHint ?? '',
		...Object.values(resourceHints).map(({ propertyHint }) => propertyHint),
	];
	const named = texts.flatMap(
		(text) =>
			text.match(
				/(?:Contact|Campaign|Automation Schedule|Automation): [A-Z]\w+(?: (?:or )?[A-Z]\w+)*/g,
			) ?? [],
	);
	expect(named.length).toBeGreaterThan(7);
	expect(named.filter((name) => !operationNames.includes(name))).toEqual([]);
});

describe.each(nodes)('the codex of %s', (_, description, codex) => {
	it('has the categories of n8n and words that people search for', () => {
		expect(codex.categories).toEqual(['Marketing & Content', 'Communication']);
		expect(codex.alias.length).toBeGreaterThan(15);
		expect(new Set(codex.alias).size).toBe(codex.alias.length);
		expect(codex.alias.filter((word) => word !== word.toLowerCase().trim())).toEqual([]);
		expect(codex.alias).toContain('newsletter');
		expect(codex.node).toBe(`${manifest.name}.${description.name}`);
	});

	it('leads to pages and headings of this repository', () => {
		const { credentialDocumentation, primaryDocumentation } = codex.resources;
		const links = [...credentialDocumentation, ...primaryDocumentation].map(({ url }) => url);
		const dead = links.filter((url) => {
			const [path = '', anchor] = url.split('#');
			if (!existsSync(join(root, path))) return true;
			const text = readFileSync(join(root, path), 'utf8').toLowerCase();
			return anchor !== undefined && !text.includes(`\n## ${anchor.replaceAll('-', ' ')}\n`);
		});
		expect(credentialDocumentation).toHaveLength(1);
		expect(primaryDocumentation).toHaveLength(1);
		expect(dead).toEqual([]);
	});
});
