import type { Endpoint } from '../endpoint.ts';
import { automations } from './automations.ts';
import { automationSchedules } from './automationSchedules.ts';
import { contacts } from './contacts.ts';
import { contactTypes } from './contactTypes.ts';
import { fields } from './fields.ts';
import { lookups } from './lookups.ts';
import { notifications } from './notifications.ts';
import { segments } from './segments.ts';
import { senders } from './senders.ts';
import { singleSends } from './singleSends.ts';
import { globalUnsubscribes, unsubscribeGroups } from './unsubscribes.ts';

export const endpoints: readonly Endpoint[] = [
	...globalUnsubscribes,
	...unsubscribeGroups,
	...contactTypes,
	...contacts,
	...segments,
	...fields,
	...lookups,
	...singleSends,
	...automations,
	...automationSchedules,
	...notifications,
	...senders,
];

export const endpointByPath: ReadonlyMap<string, Endpoint> = new Map(
	endpoints.map((endpoint) => [endpoint.path, endpoint]),
);
