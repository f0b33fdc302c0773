import type { CodeChange } from './published.ts';

/** Mistakes that the simulation has to notice: each is put into the code by hand, and named by what it is. */
export const handMadeFaults: ReadonlyArray<CodeChange & { name: string }> = [
	{
		name: 'forget to save the state of a poll',
		file: 'trigger/poll.ts',
		from: 'staticData.state = after as unknown as IDataObject;',
		to: 'if (!hasEvents) staticData.state = after as unknown as IDataObject;',
	},
	{
		name: 'save the state before all lists are read',
		file: 'trigger/lists.ts',
		from: 'if (isTooSlow) {',
		to: 'rows.set(source, []);\n\t\t\tif (isTooSlow) {',
	},
	{
		name: 'take any state in memory for the newer one, whatever its lineage',
		file: 'trigger/pollLock.ts',
		from: '!lock.newest.lineage.includes(id)',
		to: 'false',
	},
	{
		name: 'go on from the events that were reported, although n8n may not have saved them',
		file: 'trigger/pollLock.ts',
		from: 'lock.newest = hasEvents ? before : after;',
		to: 'lock.newest = after;',
	},
	{
		name: 'report a deletion at the first poll without the record',
		file: 'trigger/snapshotDiff.ts',
		from: '(isUncertain ? ABSENCE.uncertain : ABSENCE.certain)',
		to: 'ABSENCE.isDeleted',
	},
	{
		name: 'forget the gaps between IDs',
		file: 'trigger/watermarkDiff.ts',
		from: 'gaps: subtractIds(unseen, added.map(idOf)).slice(-MAX_GAPS)',
		to: 'gaps: []',
	},
	{
		name: 'let an overlapping poll run',
		file: 'trigger/pollLock.ts',
		from: 'if (lock.held) return null;',
		to: '',
	},
	{
		name: 'repeat a write whose response was lost',
		file: 'service/retry.ts',
		from: "(!info.changesData || effect === 'none')",
		to: 'true',
	},
	{
		name: 'call every request without a response one without effect',
		file: 'service/errors.ts',
		from: "effect: 'unknown',\n\t\tretryable: true,\n\t},\n\t{\n\t\tpattern: /ERR_CANCELED",
		to: "effect: 'none',\n\t\tretryable: true,\n\t},\n\t{\n\t\tpattern: /ERR_CANCELED",
	},
	{
		name: 'lose the last record of every list',
		file: 'service/lists.ts',
		from: '(response, info) => readRecords(response, endpoint, info)',
		to: '(response, info) => readRecords(response, endpoint, info).slice(0, -1)',
	},
	{
		name: 'take a list that cannot be read for an empty one',
		file: 'service/lists.ts',
		from: '(response, info) => readRecords(response, endpoint, info),\n\t\ttrue,\n\t);',
		to: '(response, info) => readRecords(response, endpoint, info),\n\t\ttrue,\n\t).catch(() => []);',
	},
	{
		name: 'find nobody on the lists of unsubscribes',
		file: 'features/consent/guard.ts',
		from: 'suppressions.get(addressKey(address))',
		to: 'suppressions.get(address.slice(1))',
	},
	{
		name: 'remove a contact the first time it is missing',
		file: 'features/sync/removalGate.ts',
		from: 'times < this.options.removeAfter',
		to: 'false',
	},
	{
		name: 'remove contacts that the sync did not add',
		file: 'features/sync/removalGate.ts',
		from: '!this.options.onlyAddedBySync || this.memory.isAdded(contact)',
		to: 'true',
	},
];
