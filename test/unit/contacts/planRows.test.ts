import type { IDataObject } from 'n8n-workflow';

import { readPlanRows } from '../../../nodes/EmailMarketing/features/sync/savedPlan/planRows';
import { InvalidInput } from '../../../nodes/EmailMarketing/params/invalidInput';
import { TYPE } from './builders';

const email = 'ada@example.com';
const known = {
	...{ dryRun: true, contactTypeId: TYPE, contactId: 1, email, reason: '' },
	...{ contactVersion: 'abcdefghijkl', overLimit: false, customFields: {} },
};
const changedFields = { city: { from: 'Köln', to: 'Bonn' } };
const update = { ...known, action: 'wouldUpdate', changedFields };
const deletion = { ...known, action: 'wouldDelete' };
const addition = { ...known, action: 'wouldAddToGroup', unsubscribeGroupId: 51 };

const itemsOf = (rows: IDataObject[]) => rows.map((json, index) => ({ json, index }));

function refusal(...rows: IDataObject[]): string | undefined {
	try {
		readPlanRows(itemsOf(rows));
	} catch (error) {
		if (error instanceof InvalidInput) return error.message;
		throw error;
	}
	return undefined;
}

test('rows of a dry run may be texts of a table', () => {
	const row = {
		...update,
		...{ dryRun: 'TRUE', contactTypeId: ' 7 ', contactId: '1' },
		changedFields: JSON.stringify(changedFields),
	};
	expect(readPlanRows(itemsOf([row]))).toEqual(readPlanRows(itemsOf([update])));
});

test.each([1, '1', ' true', 'TRUE'])('flags may be %j', (flag) => {
	const [row] = readPlanRows(itemsOf([{ ...deletion, dryRun: flag, overLimit: flag }]));
	expect(row?.isOverLimit).toBe(true);
});

test.each(['yes', 'WAHR', '2'])('flags cannot be %j', (flag) => {
	for (const key of ['dryRun', 'overLimit']) {
		expect(refusal({ ...deletion, [key]: flag })).toBe(
			`Item 0 cannot be applied: "${key}" is ${JSON.stringify(flag)}, neither true nor false`,
		);
	}
});

test('an address is kept as it is, unless it is written', () => {
	const odd = { email: ' nobody ' };
	expect(readPlanRows(itemsOf([{ ...update, ...odd }]))[0]?.row.email).toBe(odd.email);
	expect(readPlanRows(itemsOf([{ ...deletion, ...odd }]))[0]?.row.email).toBe(odd.email);
	const problem = 'Item 0 cannot be applied: Email " nobody " is not an email address. Correct it';
	const renamed = { email: { from: 'old@example.com', to: 'nobody' } };
	for (const row of [
		{ ...addition, ...odd },
		{ ...update, ...odd, changedFields: renamed },
		{ ...update, ...odd, action: 'wouldCreate' },
	]) {
		expect(refusal(row)).toBe(problem);
	}
	expect(refusal({ ...deletion, email: '  ' })).toMatch(/^Item 0 .+: Email /);
	expect(refusal({ ...addition, email: ` ${email}` })).toBeUndefined();
});

test.each([
	['missing from the input; stopped by the limit: 2 of\n3.', 'missing from the input'],
	['stopped by the limit: 2 of 3', ''],
	['missing from the input; stopped by the limit', 'missing from the input'],
	['because', 'because'],
])('the reason %j is without that of the limit', (reason, expected) => {
	expect(readPlanRows(itemsOf([{ ...deletion, reason }]))[0]?.row.reason).toBe(expected);
});

test('rows of several dry runs are refused', () => {
	const other = { contactId: 2, email: 'bea@example.com' };
	expect(refusal(update, deletion)).toBe('Items 0 and 1 are for the same contact');
	expect(refusal(addition, { ...addition, contactId: 2, email: 'ADA@example.com' })).toBe(
		'Items 0 and 1 are for the same email',
	);
	expect(refusal(addition, { ...deletion, ...other })).toBe(
		'"Missing From Input" is wouldDelete for item 1, but wouldAddToGroup for item 0',
	);
	const move = { ...known, action: 'wouldMove', newContactTypeId: 8 };
	expect(refusal(move, { ...move, ...other, newContactTypeId: 9 })).toBe(
		'"Move to Contact Type" is 9 for item 1, but 8 for item 0',
	);
	expect(refusal(deletion, { ...deletion, contactId: 2 })).toBeUndefined();
});
