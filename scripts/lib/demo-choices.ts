import type { INode } from 'n8n-workflow';
import type { TableName } from '../../sandbox/model.ts';
import type { WorkflowJson } from './n8n-client.ts';
import type { SandboxClient } from './sandbox-client.ts';

/** A record of the demo account, by the name that the editor shows. */
interface DemoRecord {
	table: TableName;
	/** The field with the name. */
	nameIn: string;
	name: string;
	/** What a workflow keeps of it. */
	key?: 'id' | 'utr';
	/** In a list of several audiences: what stands before the ID there. */
	prefix?: string;
}

/** Words that somebody writes for a campaign. */
interface Words {
	text: string;
}

type Choice = DemoRecord | Words | 'address of the contacts file';

const contactType = (name: string): DemoRecord => ({ table: 'contactTypes', nameIn: 'name', name });
const subscribers = contactType('Newsletter subscribers');
const welcome: DemoRecord = {
	table: 'automations',
	nameIn: 'automation_name',
	name: 'Welcome series',
	key: 'utr',
};

const newsToSubscribers: Record<string, Choice> = {
	senderId: { table: 'senders', nameIn: 'nickname', name: 'Main sender' },
	recipientId: { ...subscribers, prefix: 'contacts_' },
	unsubscribeGroupId: { table: 'unsubscribeGroups', nameIn: 'group_name', name: 'Product news' },
};

const campaignOfTheWeek: Record<string, Choice> = {
	subject: { text: 'News of the week' },
	preheader: { text: 'What is new, in two minutes' },
	...newsToSubscribers,
	templateId: { table: 'templates', nameIn: 'template_name', name: 'Monthly newsletter' },
};

/**
 * What the examples leave open in nodes of this package, and what the demo and the tests choose
 * there: by the workflow, the node and the parameter. Nodes of other services stay as they are.
 */
export const demoChoices: Record<string, Record<string, Record<string, Choice>>> = {
	'Sync contacts from a CSV file every hour': {
		'Get the export': { url: 'address of the contacts file' },
		'Sync contacts': { contactTypeId: subscribers },
	},
	'Sync contacts after approval': {
		'Get the export': { url: 'address of the contacts file' },
		Plan: { contactTypeId: subscribers },
	},
	'Two-way: unsubscribes back to the CRM': {
		'Get the CRM export': { url: 'address of the contacts file' },
		'Sync contacts': { contactTypeId: subscribers },
	},
	'Import a spreadsheet with a dry run and an approval step': {
		'What would change': { contactTypeId: subscribers },
	},
	'Keep a ledger of the sync': {
		'Get the export': { url: 'address of the contacts file' },
		'Sync contacts': { contactTypeId: subscribers },
	},
	'Keep a segment equal to a database query': {
		'Sync the segment': {
			segmentId: { table: 'segments', nameIn: 'segment_name', name: 'Recent customers' },
		},
	},
	'Draft, check, approve and send a campaign': {
		Check: newsToSubscribers,
	},
	'Weekly campaign': {
		'Create campaign': campaignOfTheWeek,
	},
	'Weekly campaign with a test and an approval': {
		Check: campaignOfTheWeek,
		'Send test': { testContactTypeId: contactType('Test list') },
	},
	'Add new contacts to the welcome automation': {
		'New customer': { contactTypeId: contactType('Customers') },
		'Add to the audience': { contactTypeId: subscribers },
		'Get the welcome automation': {
			automationUtr: welcome,
		},
	},
	'Sign-up form with double opt-in': {
		'Add to the audience': { contactTypeId: subscribers },
		'Get the welcome automation': { automationUtr: welcome },
	},
	'Sync a Google Sheet and write each outcome back': {
		'Sync contacts': { contactTypeId: subscribers },
	},
	'Sync HubSpot contacts who agreed': { 'Sync contacts': { contactTypeId: subscribers } },
	'Add Shopify customers who agreed to marketing': {
		'Add to the audience': { contactTypeId: subscribers },
	},
};

/** Where the choices come from. */
export interface Demo {
	sandbox: SandboxClient;
	contactsUrl: string;
}

/** @returns the value for the parameter; what is there already when the sandbox has no such record */
async function chosen(choice: Choice, open: unknown, demo: Demo): Promise<unknown> {
	if (choice === 'address of the contacts file') return demo.contactsUrl;
	if ('text' in choice) return choice.text;
	const { table, nameIn, name, key = 'id', prefix } = choice;
	const records = (await demo.sandbox.records(table)) as unknown as Array<Record<string, unknown>>;
	const record = records.find((candidate) => candidate[nameIn] === name);
	if (!record) return open;
	const value = String(record[key]);
	if (prefix !== undefined) return [prefix + value];
	return { __rl: true, mode: 'list', value, cachedResultName: name };
}

async function withChoices(node: INode, choices: Record<string, Choice>, demo: Demo) {
	const parameters = { ...node.parameters };
	for (const [name, choice] of Object.entries(choices)) {
		parameters[name] = (await chosen(
			choice,
			parameters[name],
			demo,
		)) as INode['parameters'][string];
	}
	return { ...node, parameters };
}

/** An example as somebody has it who has made the choices of its note, in the demo account. */
export async function withDemoChoices(workflow: WorkflowJson, demo: Demo): Promise<WorkflowJson> {
	const choices = demoChoices[workflow.name] ?? {};
	const nodes = workflow.nodes.map((node) => withChoices(node, choices[node.name] ?? {}, demo));
	return { ...workflow, nodes: await Promise.all(nodes) };
}
