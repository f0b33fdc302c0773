import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Workflow } from 'n8n-workflow';
import type { INode, INodeProperties, INodePropertyOptions, INodeTypes } from 'n8n-workflow';

import { EmailMarketingTrigger } from '../../../nodes/EmailMarketing/EmailMarketingTrigger.node';
import { statisticsOf } from '../../../nodes/EmailMarketing/records/statistics';
import { EVENT_NAMES } from '../../../nodes/EmailMarketing/trigger/sources';

const { description } = new EmailMarketingTrigger();
const property = (name: string) =>
	description.properties.find((candidate) => candidate.name === name) as INodeProperties;
const choices = (options: INodeProperties['options']) => (options ?? []) as INodePropertyOptions[];
const events = choices(property('events').options);

/** The actions of a trigger in n8n's node panel, as the editor of n8n 2.41.1 makes them. */
function panelActions(): string[] {
	if (!description.displayName.toLowerCase().includes('trigger')) return [];
	const source = description.properties.find(({ displayName }) =>
		['event', 'events', 'trigger on'].includes(displayName.toLowerCase()),
	);
	return choices(source?.options).map(({ action, name }) => action ?? `On ${name}`);
}

describe('the node panel', () => {
	it('offers each event as an action', () => {
		expect(panelActions()).toHaveLength(EVENT_NAMES.length);
		expect(panelActions()).toEqual(
			expect.arrayContaining(['On campaign completed', 'On campaign status changed']),
		);
		for (const action of panelActions()) expect(action).toMatch(/^On [a-z ]+$/);
		expect(panelActions().filter((action) => /\b(an?|the)\b/.test(action))).toEqual([]);
	});

	it('finds the events of campaigns under "campaign"', () => {
		const ofSends = events.filter(({ value }) => String(value).startsWith('singleSend'));
		expect(ofSends).toHaveLength(5);
		for (const { name, action } of ofSends) {
			expect([name, action]).toEqual([
				expect.stringMatching(/^Campaign \(Single Send\) /),
				expect.stringMatching(/^On campaign /),
			]);
		}
	});

	it('finds the action node by all that the trigger is found by', () => {
		const aliases = (node: string) => {
			const path = join(__dirname, '../../../nodes/EmailMarketing', `${node}.node.json`);
			return (JSON.parse(readFileSync(path, 'utf8')) as { alias: string[] }).alias;
		};
		const ofTrigger = aliases('EmailMarketingTrigger');
		expect(ofTrigger).toEqual(
			expect.arrayContaining([
				...['bounce', 'open rate', 'single send', 'signup', 'opt-in', 'email blast', 'campaign'],
			]),
		);
		expect(aliases('EmailMarketing')).toEqual(expect.arrayContaining(ofTrigger));
	});
});

describe('the node on the canvas', () => {
	const subtitleOf = (chosen: string[]) => {
		const node: INode = {
			...{ id: '1', name: 'Trigger', type: 'trigger', typeVersion: 1, position: [0, 0] },
			parameters: { events: chosen },
		};
		const type = new EmailMarketingTrigger();
		const nodeTypes = { getByNameAndVersion: () => type } as unknown as INodeTypes;
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		return workflow.expression.getSimpleParameterValue(node, description.subtitle, 'internal', {});
	};

	it('says in words what it waits for', () => {
		expect(subtitleOf(['singleSendStatusChanged'])).toBe('Campaign Status Changed');
		expect(subtitleOf(['contactAdded', 'unsubscribeGroupRecipientAdded'])).toBe(
			'Contact Added, Unsubscribe Group Recipient Added',
		);
		expect(subtitleOf([])).toBe('');
	});
});

describe('the panel of the node', () => {
	it('has a choice for each event', () => {
		expect(events.map(({ value }) => value).sort()).toEqual([...EVENT_NAMES].sort());
	});

	it.each([
		['singleSendThresholds', 'singleSend'],
		['automationThresholds', 'automation'],
	] as const)('%s offer every statistic', (name, kind) => {
		const [group] = property(name).options as Array<{ values: INodeProperties[] }>;
		const statistic = group?.values.find((value) => value.name === 'statistic');
		expect(
			choices(statistic?.options)
				.map(({ value }) => value)
				.sort(),
		).toEqual([...statisticsOf(kind)].sort());
	});

	it('adds in sentence case', () => {
		const placeholders = description.properties.map(({ placeholder }) => placeholder ?? '');
		expect(placeholders.filter((placeholder) => /^Add [A-Z]/.test(placeholder))).toEqual([]);
	});
});
