import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';

import { EmailMarketing } from '../../nodes/EmailMarketing/EmailMarketing.node';
import { EmailMarketingTrigger } from '../../nodes/EmailMarketing/EmailMarketingTrigger.node';

/** The parameters side by side with one another: of the node, and of each collection in it. */
function levels(properties: INodeProperties[]): INodeProperties[][] {
	const inner = properties.flatMap(({ type, options = [] }) => {
		if (type === 'collection') return levels(options as INodeProperties[]);
		if (type !== 'fixedCollection') return [];
		return (options as INodePropertyCollection[]).flatMap(({ values }) => levels(values));
	});
	return [properties, ...inner];
}

// Of a name that is not among those beside it, n8n 1 and early n8n 2 say "Could not resolve parameter
// dependencies", and run no operation at all.
it.each([new EmailMarketing(), new EmailMarketingTrigger()])(
	'what a parameter depends on is beside it, or is named from the root of the node: $description.name',
	({ description }) => {
		const lost = levels(description.properties).flatMap((level) => {
			const names = new Set(level.map(({ name }) => name));
			return level.flatMap(({ name, displayOptions: { show, hide } = {} }) =>
				Object.keys({ ...show, ...hide })
					.filter((other) => !/^[/@]/.test(other) && !names.has(other))
					.map((other) => `${name} depends on ${other}`),
			);
		});
		expect(lost).toEqual([]);
	},
);
