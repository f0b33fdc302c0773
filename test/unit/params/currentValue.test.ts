import {
	keep,
	keepFlag,
	keepId,
	keepTargets,
	targetNames,
	unusable,
	type Keep,
} from '../../../nodes/EmailMarketing/params/currentValue';
import { itemWith } from './support';

const kept = (how: Keep, value: unknown) => how({ field: value as never }, {}, itemWith());

describe('a field that the update leaves out', () => {
	it.each([
		['Spring sale', 'Spring sale'],
		[7, '7'],
		[0, '0'],
		[true, '1'],
		[false, '0'],
		['', undefined],
		[null, undefined],
		[undefined, undefined],
		[{ nested: 1 }, unusable],
		[['a'], unusable],
	])('has %j sent back as %p', (value, sent) => {
		expect(kept(keep('field'), value)).toBe(sent);
	});

	it('is not sent back where the service would not take it', () => {
		expect(kept(keep('field', /^\d+$/), '12')).toBe('12');
		expect(kept(keep('field', /^\d+$/), 'twelve')).toBe(unusable);
	});
});

describe('a flag', () => {
	it.each([
		['1', '1'],
		[0, '0'],
		[true, '1'],
		[2, unusable],
		['10', unusable],
		['01', unusable],
		['', undefined],
	])('of %j is sent back as %p', (value, sent) => {
		expect(kept(keepFlag('field'), value)).toBe(sent);
	});
});

describe('the ID of another record', () => {
	it.each([
		[12, '12'],
		['12', '12'],
		[0, undefined],
		['0', undefined],
		['00', undefined],
		['', undefined],
		['12a', unusable],
		['a12', unusable],
		[-3, unusable],
		['9'.repeat(15), '9'.repeat(15)],
		['9'.repeat(16), unusable],
	])('of %j is sent back as %p', (value, sent) => {
		expect(kept(keepId('field'), value)).toBe(sent);
	});
});

describe('targets', () => {
	it.each<[unknown, string[] | undefined]>([
		[undefined, []],
		['', []],
		[[], []],
		['contacts_3', undefined],
		[{ id: 3, table: 'contacts_' }, undefined],
		[
			[{ id: '3', table: 'contacts_' }, 'segments_8'],
			['contacts_3', 'segments_8'],
		],
		[[{ id: 3, table: 'lists_' }], ['lists_3']],
		[[{ id: '', table: 'contacts_' }], undefined],
		[[{ id: 3, table: '' }], undefined],
		[[{ id: 3 }], undefined],
		[['contacts_3', 'two words'], undefined],
		[['!contacts_3'], undefined],
		[['contacts_3!'], undefined],
		[[['contacts_3']], undefined],
		[[22], undefined],
		[['contacts'], undefined],
		[['_3'], undefined],
	])('%j are named %j', (value, names) => {
		expect(targetNames(value)).toEqual(names);
	});

	it('are sent back by their names', () => {
		expect(kept(keepTargets('field'), ['contacts_3'])).toEqual(['contacts_3']);
	});

	it('are left out where there are none', () => {
		expect(kept(keepTargets('field'), [])).toBeUndefined();
		expect(kept(keepTargets('field'), null)).toBeUndefined();
	});

	it('that have no names cannot be sent back', () => {
		expect(kept(keepTargets('field'), 'everybody')).toBe(unusable);
	});
});
