import { createDirectory } from '../../../nodes/EmailMarketing/features/contacts/identify';
import type {
	ListedContact,
	PlannedRow,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import { withEarlierTries } from '../../../nodes/EmailMarketing/features/sync/earlierTries';
import { Ledger } from '../../../nodes/EmailMarketing/run/writer/ledger';
import { LOST_BUT_LISTED, NOT_LISTED } from '../../../nodes/EmailMarketing/run/writer/verify';

const row = (rest: Partial<PlannedRow>): PlannedRow => ({
	...{ item: 0, action: 'created', email: 'ada@example.com' },
	...rest,
});
const failed = (code: PlannedRow['code'], reason = '') => row({ action: 'failed', code, reason });
const refused = failed('custom-field-unknown');

/** What each try tells; `planned` is what it was going to do. */
function tries() {
	const run = { ledger: new Ledger(), account: 'one' } as Parameters<typeof withEarlierTries>[3];
	return (told: PlannedRow[], planned = told, listed: ListedContact[] = []) =>
		withEarlierTries(told, planned, () => createDirectory(listed, 21), run);
}

const mayAppear = failed('import-missing');
const lost = failed('timeout', `No response. ${NOT_LISTED}`);

test.each<[string, PlannedRow, PlannedRow, PlannedRow, 'first' | 'second']>([
	[
		'was created, and is unchanged',
		row({}),
		row({ action: 'unchanged' }),
		row({ action: 'unchanged' }),
		'first',
	],
	['was created, and is refused', row({}), refused, refused, 'first'],
	['may appear, and is refused', mayAppear, refused, refused, 'first'],
	['may appear since its response was lost, and is refused', lost, refused, refused, 'first'],
	[
		'may appear, and is there',
		mayAppear,
		row({ action: 'unchanged' }),
		row({ action: 'unchanged' }),
		'second',
	],
	['may appear, and was created', mayAppear, row({}), row({}), 'second'],
	[
		'may appear, and was sent again in vain',
		mayAppear,
		failed('field-rejected'),
		row({}),
		'second',
	],
	['certainly failed, and is refused', failed('field-rejected'), refused, refused, 'second'],
])('of a contact that %s in a further try', (_what, first, second, planned, told) => {
	const run = tries();
	expect(run([first], [row({})])).toEqual([first]);
	expect(run([second], [planned])).toEqual([told === 'first' ? first : second]);
});

test('of missing contacts, those that an earlier try has removed, or may have', () => {
	const ofMissing = (contactId: number, rest: Partial<PlannedRow> = {}) =>
		row({ item: undefined, contactId, action: 'deleted', ...rest });
	const uncertain = (contactId: number) =>
		ofMissing(contactId, { action: 'failed', code: 'write-unverified' });
	const run = tries();
	run(
		[ofMissing(6), uncertain(7), uncertain(8)],
		[6, 7, 8].map((id) => ofMissing(id)),
	);
	const still = { id: 8, contact_type_id: 21, email: 'ben@example.com' };
	expect(run([], [], [still])).toEqual([
		ofMissing(6),
		{ ...ofMissing(7), reason: LOST_BUT_LISTED, at: expect.any(String) as string },
		uncertain(8),
	]);
});
