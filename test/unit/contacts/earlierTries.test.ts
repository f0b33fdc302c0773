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
