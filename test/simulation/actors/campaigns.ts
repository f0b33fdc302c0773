import type { IDataObject, INode } from 'n8n-workflow';

import type { Random } from '../../../soak/random.ts';
import { SENDING, type Sending } from '../../histories/sends.ts';
import type { Service } from '../service.ts';
import { GROUP, TEMPLATE, TEST_TYPE, TYPE } from '../world.ts';
import { itemOf, minute, type Actor, type Surroundings } from './actor.ts';
import { fromItem, locator, node } from './node.ts';

const mostSends = 45;
const content = {
	...{ subject: 'Hello', preheader: 'Hi', senderId: locator(fromItem('sender')) },
	...{ unsubscribeGroupId: locator(GROUP), templateId: locator(TEMPLATE) },
};

function parametersOf(operation: Sending, random: Random): IDataObject {
	switch (operation) {
		case 'create':
			return {
				...{ resource: 'singleSend', operation, ...content, singleSendName: fromItem('key') },
				...{ recipientId: [`contacts_${TYPE}`], scheduleType: 'immediately' },
				ifNameExists: random.pick(['fail', 'return', 'create']),
			};
		case 'sendTest':
			return {
				...{ resource: 'singleSend', operation, ...content, singleSendName: fromItem('key') },
				...{ campaign: 'new', testContactTypeId: locator(TEST_TYPE), testListName: 'test' },
			};
		case 'update': {
			const updateFields = { subject: fromItem('subject'), scheduleType: 'immediately' };
			const singleSendUtr = locator(fromItem('key'));
			return { resource: 'singleSend', operation, singleSendUtr, updateFields };
		}
		case 'duplicate': {
			const options = { allowSendingAgain: random.chance(0.7) };
			const singleSendUtr = locator(fromItem('key'));
			return { resource: 'singleSend', operation, singleSendUtr, options };
		}
		case 'setLive':
			return { resource: 'automation', operation, automationUtr: locator(fromItem('key')) };
	}
}

/** A campaign that somebody has prepared, and whose time has not come. */
function draft({ state: { tables, clock } }: Service, senderId: number): string {
	const fields = {
		...{ single_send_name: 'Draft', subject: 'Draft', preheader: 'Draft', sender_id: senderId },
		...{ unsubscribe_group_id: GROUP, template_id: TEMPLATE },
		recipient_id: [{ id: String(TYPE), table: 'contacts_' }],
		...{ schedule_type: 1, schedule_date: '2031-01-01', schedule_time: '10:00:00' },
	};
	return tables.singleSends.add(fields, clock.now()).utr;
}

/** Everything that starts a send: new campaigns, tests, updates, copies and automations. */
export function campaignsActor(retryOnFail: boolean, { service, random }: Surroundings): Actor {
	const { tables } = service.state;
	let count = 0;
	let last: { nodes: INode[]; items: IDataObject[] } | undefined;
	const keyFor = (operation: Sending, sender: number): string => {
		if (operation === 'create' || operation === 'sendTest') return `Sale ${++count}`;
		if (operation === 'setLive') return random.pick(tables.automations.all()).utr;
		const ready = tables.singleSends.all().filter(({ template_id }) => template_id === TEMPLATE);
		return ready.length < 3 || random.chance(0.3) ? draft(service, sender) : random.pick(ready).utr;
	};
	const choose = () => {
		const operation = random.pick(Object.keys(SENDING) as Sending[]);
		const senders = tables.senders.all();
		const verified = senders.filter(({ is_verified }) => is_verified === 1);
		const senderFor = () => random.pick(random.chance(0.8) ? verified : senders).id;
		const items: IDataObject[] = [];
		for (let left = random.whole(1, 3); left > 0; left--) {
			const sender = senderFor();
			const isSame = items.length > 0 && random.chance(0.4);
			const key = isSame ? items[0]?.key : keyFor(operation, sender);
			items.push({ key, sender, subject: `Subject ${++count}` });
		}
		const onError = random.pick(['stopWorkflow', 'continueErrorOutput'] as const);
		return { nodes: [node('Campaign', parametersOf(operation, random), { onError })], items };
	};
	return {
		...{ name: 'campaigns', everyMs: 4 * minute, retryOnFail, runsOn: false },
		requests: [
			...Object.values(SENDING),
			...['GET /single-send/details', 'GET /automations/details', 'GET /contacts-type'],
		],
		begin: () => {
			if (tables.singleSends.size > mostSends) return undefined;
			// Somebody runs the workflow once more.
			last = last && random.chance(0.25) ? last : choose();
			return { nodes: last.nodes, items: last.items.map(itemOf) };
		},
	};
}
