import { withEarlierTries } from '../../../nodes/EmailMarketing/features/sync/earlierTries';
import type { PlannedRow } from '../../../nodes/EmailMarketing/features/contacts/types';
import { Ledger } from '../../../nodes/EmailMarketing/run/writer/ledger';

const row = (rest: Partial<PlannedRow>): PlannedRow => ({
	...{ item: 0, action: 'created', email: 'ada@example.com' },
	...rest,
});
const refused = row({ action: 'failed', code: 'custom-field-unknown' });

test.each<[string, PlannedRow, PlannedRow, 'first' | 'second']>([
	['was created, and is unchanged', row({}), row({ action: 'unchanged' }), 'first'],
	['was created, and is refused', row({}), refused, 'first'],
	[
		'may appear, and is refused',
		row({ action: 'failed', code: 'import-missing' }),
		refused,
		'first',
	],
	[
		'may appear, and is there',
		row({ action: 'failed', code: 'import-missing' }),
		row({ action: 'unchanged' }),
		'second',
	],
	[
		'may appear, and was created',
		row({ action: 'failed', code: 'import-missing' }),
		row({}),
		'second',
	],
	[
		'certainly failed, and is refused',
		row({ action: 'failed', code: 'field-rejected' }),
		refused,
		'second',
	],
])('of a contact that %s in a further try', (_what, first, second, told) => {
	const run = { ledger: new Ledger(), account: 'one' } as Parameters<typeof withEarlierTries>[1];
	expect(withEarlierTries([first], run)).toEqual([first]);
	expect(withEarlierTries([second], run)).toEqual([told === 'first' ? first : second]);
});

test('a removal that may have failed is told no more once the contact is gone', () => {
	const run = { ledger: new Ledger(), account: 'one' } as Parameters<typeof withEarlierTries>[1];
	const uncertain = row({
		item: undefined,
		contactId: 5,
		action: 'failed',
		code: 'write-unverified',
	});
	const removed = row({ item: undefined, contactId: 6, action: 'deleted' });
	withEarlierTries([uncertain, removed], run);
	expect(withEarlierTries([], run)).toEqual([removed]);
});
