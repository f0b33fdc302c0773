import { findInCell } from '../../nodes/EmailMarketing/features/consent/guard';

const get = jest.fn((key: string) =>
	key === 'ada@example.com' ? { reason: 'unsubscribed' } : undefined,
);

test.each([
	'ada@example.com',
	'ada＠example.com',
	'ada﹫example.com',
	'ＡＤＡ＠ｅｘａｍｐｌｅ．ｃｏｍ',
	'Ada <ada＠example.com>',
	'“ada@example.com”',
])('an address on a list is found in the cell %s', (cell) => {
	expect(findInCell({ get }, cell)).toMatchObject({ suppression: { reason: 'unsubscribed' } });
});

test('only cells with an @ in any width are looked up, whatever letters they have', () => {
	for (let code = 0; code <= 0x10ffff; code++) {
		const cell = `ö${String.fromCodePoint(code)}o`;
		get.mockClear();
		findInCell({ get }, cell);
		const hasAt = cell.normalize('NFKC').includes('@');
		if (get.mock.calls.length > 0 !== hasAt) throw new Error(`U+${code.toString(16)}`);
	}
});
