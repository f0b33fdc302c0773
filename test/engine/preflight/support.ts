import type { IDataObject } from 'n8n-workflow';

import { NOW } from '../records';
import { useService } from '../sandbox';

export const options = { preflight: true };

const goAhead =
	'To go ahead anyway, turn off "Check Before Sending" in Options. Nothing was changed for this item.';

export const turnOff = ` ${goAhead}`;

export const refused = (message: string, remedy: string, separator = ' ') => ({
	message,
	description: remedy + separator + goAhead,
	writes: [],
});

/** A service that also has a sender who is not verified and a list without contacts. */
export function useChecks() {
	const test = useService({ segmentCounts: 'recipients', dynamicContent: 'all' });
	beforeEach(() => {
		const { tables } = test.service.state;
		tables.senders.add({ nickname: 'New', from_email: 'new@example.com', is_verified: 0 }, NOW);
		tables.contactTypes.add({ name: 'Nobody yet' }, NOW);
	});

	/** What the node says, and whether it sent anything but reads. */
	const check = async (parameters: IDataObject) => {
		const { error } = await test.service.run(parameters);
		const writes = test.service
			.calls()
			.filter((call) => !call.startsWith('GET') || call.endsWith('/set-live'));
		expect(test.service.violations()).toEqual([]);
		return { message: error?.message, description: error?.description, writes };
	};
	return { test, check };
}
