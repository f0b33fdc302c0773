import { n8n } from './harness.ts';

interface NodeType {
	name: string;
	version: number | number[];
	properties: Array<{ name: string }>;
}

/** The nodes of this n8n, as its editor gets them. */
export async function nodeTypes(): Promise<NodeType[]> {
	const response = await fetch(`${n8n.client.url}/types/nodes.json`, {
		headers: { cookie: n8n.client.cookie, 'browser-id': 'n8n-nodes-email-marketing' },
	});
	return (await response.json()) as NodeType[];
}
