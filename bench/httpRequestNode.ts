import type { INode, INodeParameters } from 'n8n-workflow';
import { node } from '../scripts/lib/workflow-json.ts';

export const httpRequestNode = (name: string, parameters: INodeParameters): INode =>
	node(name, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.5 });
