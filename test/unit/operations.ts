import type { INodeProperties, INodePropertyOptions, INodeType, PreSendAction } from 'n8n-workflow';

import { EmailMarketing } from '../../nodes/EmailMarketing/EmailMarketing.node';
import type { Endpoint } from '../../nodes/EmailMarketing/engine/operation';

interface Encode {
	encode(endpoint: Endpoint): PreSendAction;
}

// Lets one see which endpoint an operation's step before sending was made for.
jest.mock('../../nodes/EmailMarketing/engine/prepare', () => {
	const actual = jest.requireActual<Encode>('../../nodes/EmailMarketing/engine/prepare');
	return {
		...actual,
		encode: (endpoint: Endpoint) => Object.assign(actual.encode(endpoint), { endpoint }),
	};
});

export const node = new EmailMarketing();
export const { properties } = node.description;

/** An operation that the editor offers. */
export interface Offered {
	resource: string;
	operation: string;
	option: INodePropertyOptions;
	/** Absent for an operation that the node carries out by itself. */
	endpoint?: Endpoint;
}

export function optionsOf(property: INodeProperties | undefined): INodePropertyOptions[] {
	return (property?.options ?? []) as INodePropertyOptions[];
}

/** The endpoint of an operation, after a look whether what n8n itself gets says the same. */
function endpointOf({ routing }: INodePropertyOptions): Endpoint | undefined {
	const [preSend] = routing?.send?.preSend ?? [];
	const endpoint = (preSend as (PreSendAction & { endpoint?: Endpoint }) | undefined)?.endpoint;
	if (endpoint === undefined) return undefined;
	expect(routing?.request).toMatchObject({ method: endpoint.method, url: endpoint.path });
	return endpoint;
}

export const resources = optionsOf(properties.find(({ name }) => name === 'resource')).map(
	({ value }) => String(value),
);

/** Every operation of every resource, as the description offers them. */
export const offered: Offered[] = properties
	.filter(({ name }) => name === 'operation')
	.flatMap((property) =>
		(property.displayOptions?.show?.resource ?? []).flatMap((resource) =>
			optionsOf(property).map((option) => ({
				resource: String(resource),
				operation: String(option.value),
				option,
				endpoint: endpointOf(option),
			})),
		),
	);

const { customOperations = {} } = node as Pick<INodeType, 'customOperations'>;

/** `resource.operation` of all that the node carries out in place of n8n's own engine. */
export const effect: string[] = Object.entries(customOperations).flatMap(([resource, operations]) =>
	Object.keys(operations).map((name) => `${resource}.${name}`),
);

const withEndpoint = new Set(
	offered
		.filter(({ endpoint }) => endpoint !== undefined)
		.map(({ resource, operation }) => `${resource}.${operation}`),
);

/** Those of them that reach no single endpoint. */
export const local = effect.filter((name) => !withEndpoint.has(name));
