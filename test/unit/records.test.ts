import {
	fieldsOf,
	isDeleted,
	type RecordKind,
} from '../../nodes/EmailMarketing/records/recordKind';
import { kindNamed, kindOf, records } from '../../nodes/EmailMarketing/records/records';

const kinds = Object.entries<RecordKind>(records);

it.each(kinds)('%s names only fields that it has, and each once', (_name, kind) => {
	const fields = fieldsOf(kind);
	expect(new Set(fields).size).toBe(fields.length);
	const { statistics } = kind;
	const named = [
		...[kind.key, kind.email, kind.count?.field, kind.status?.field, kind.sentAt],
		...[...kind.names, ...(kind.listOnly ?? [])],
		...Object.values(statistics ?? {}),
	].filter((field) => field !== undefined);
	expect(named.filter((field) => !fields.includes(field))).toEqual([]);
	expect(kind.shownNames ?? 1).toBeLessThanOrEqual(kind.names.length);
});

it('each list has records of one kind', () => {
	const lists = kinds.map(([, { list }]) => list.number);
	expect(new Set(lists).size).toBe(lists.length);
});

it.each([
	['contact', 'getAll', 'contact'],
	['contact', 'get', 'contact'],
	['segment', 'getRecipients', 'segmentRecipient'],
	['unsubscribeGroup', 'getRecipients', 'unsubscribeGroupRecipient'],
	['designTemplate', 'getDynamicContent', 'dynamicContent'],
	['customField', 'getReserved', 'customField'],
	['location', 'getAll', 'location'],
])('%s: %s returns records of the kind %s', (resource, operation, kind) => {
	expect(kindOf(resource, operation)).toBe(kind);
});

it('knows no fields of places', () => expect(kindNamed('location')).toBeUndefined());

it.each([
	['a time', { deleted_at: '2026-07-01 10:00:00' }, true],
	['null', { deleted_at: null }, false],
	['nothing', {}, false],
	['an empty text', { deleted_at: '' }, false],
])('a record with %s as deleted_at: whether it is deleted', (_what, record, expected) => {
	expect(isDeleted(record)).toBe(expected);
});
