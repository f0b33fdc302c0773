import { NodeHelpers, type INodeParameters } from 'n8n-workflow';

import { node, offered, properties } from './operations';

/** Whether the editor shows the notice of this name. */
const shows = (notice: string, parameters: INodeParameters) =>
	properties
		.filter(({ name }) => name === notice)
		.some((notice) =>
			NodeHelpers.displayParameterPath(
				{ parameters },
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
	const given = { resource: 'singleSend', operation, ...parameters };
	expect(shows('sendsImmediately', given)).toBe(isShown);
});

/** What the notices about removals say, by their names. */
const saidOfRemovals: Record<string, RegExp> = {
	removesMissing:
		/published workflow added, once .* \(2 by default\)\..*manual executions remove nobody/,
	removesOthers: /every .* \(2 by default\), whoever added it\..*manual executions remove nobody/,
	removesAtOnce: /published workflow added, as soon as.*also a manual one/,
	removesOthersAtOnce: /every .* that is missing, whoever added it\..*also a manual one/,
};

it.each([
	['contact', 'sync', 'contacts'],
	['segment', 'syncRecipients', 'recipients'],
])('says before a sync who is removed, how many, and when: %s.%s', (resource, operation, whom) => {
	const given = { resource, operation, missing: 'delete' };
	const said = (rules: INodeParameters) =>
		Object.keys(saidOfRemovals).filter((name) =>
			shows(name, { ...given, options: { removal: { rules } } }),
		);
	const off = { onlyAddedBySync: false };
	expect(said({})).toEqual(['removesMissing']);
	expect(said({ removeAfter: 3 })).toEqual(['removesMissing']);
	expect(said({ removeAfter: 3, ...off })).toEqual(['removesOthers']);
	expect(said({ removeAfter: 1 })).toEqual(['removesAtOnce']);
	expect(said({ removeAfter: 1, ...off })).toEqual(['removesOthersAtOnce']);
	expect(shows('removesMissing', { ...given, missing: 'ignore', options: {} })).toBe(false);
	for (const [name, text] of Object.entries(saidOfRemovals)) {
		const texts = properties
			.filter((notice) => notice.name === name)
			.map(({ displayName }) => displayName);
		const shown = texts.find((one) => one.includes(`percent of the ${whom} that can be removed`));
		expect(shown).toMatch(text);
	}
});

it('says that a test is sent immediately', () => {
	const saying = offered
		.map(({ resource, option }) => ({ resource, operation: String(option.value) }))
		.filter((given) => shows('sendsTest', given));
	expect(saying).toEqual([{ resource: 'singleSend', operation: 'sendTest' }]);
});

it('says of each operation that adds people by default that it skips who unsubscribed', () => {
	const saying = offered
		.map(({ resource, option }) => `${resource}.${String(option.value)}`)
		.filter((name) => {
			const [resource = '', operation = ''] = name.split('.');
			const fields = { mappingMode: 'autoMapInputData' };
			return shows('skipsUnsubscribed', { resource, operation, fields });
		});
	expect(saying).toEqual(
		expect.arrayContaining([
			...['contact.create', 'contact.importCsv', 'contact.upsert', 'contact.sync'],
			...['segment.addRecipient', 'segment.syncRecipients'],
		]),
	);
	expect(saying.filter((name) => !/^(contact|segment)\./.test(name))).toEqual([]);
});

it.each<[string, INodeParameters, boolean]>([
	['create', { timezone: { __rl: true, mode: 'list', value: '' } }, true],
	['check', { timezone: { __rl: true, mode: 'list', value: '' } }, true],
	['create', {}, true],
	['create', { timezone: { __rl: true, mode: 'name', value: 'Europe/Berlin' } }, false],
	['create', { scheduleType: 'immediately' }, false],
])('warns before a send time without a time zone: %s with %j: %s', (operation, given, isShown) => {
	const filled = NodeHelpers.getNodeParameters(
		node.description.properties,
		{ resource: 'singleSend', operation, scheduleType: 'scheduled', ...given },
		true,
		false,
		{ typeVersion: 1 },
		node.description,
	);
	expect(shows('sendTimeZone', filled ?? {})).toBe(isShown);
});
