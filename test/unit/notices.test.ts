import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { node, properties } from './operations';

/** Whether the editor shows that a campaign cannot be recalled. */
const warns = (operation: string, parameters: INodeParameters) =>
	properties
		.filter(({ name }) => name === 'sendsImmediately')
		.some((notice) =>
			NodeHelpers.displayParameterPath(
				{ parameters: { resource: 'singleSend', operation, ...parameters } },
				notice,
				'parameters',
				{ typeVersion: 1 },
				node.description,
			),
		);

it.each<[string, INodeParameters, boolean]>([
	['create', { scheduleType: 'immediately' }, true],
	['create', { scheduleType: 'scheduled' }, false],
	['update', { updateFields: { scheduleType: 'immediately' } }, true],
	['update', { updateFields: { scheduleType: '={{ $json.when }}' } }, true],
	['update', { updateFields: { scheduleType: 'scheduled' } }, false],
	['update', { updateFields: { subject: 'New' } }, false],
	['update', { updateFields: {}, scheduleType: 'immediately' }, false],
	['get', { scheduleType: 'immediately' }, false],
])('warns before sending: %s with %j: %s', (operation, parameters, isShown) => {
	expect(warns(operation, parameters)).toBe(isShown);
});
