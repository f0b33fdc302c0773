import type { Settings } from './settings.ts';

/**
 * What the reference leaves open, by name: each is the service as it also may be. docs/dev/readings.md says what the node
 * does, and `EMAIL_MARKETING_READING=name` runs the tests of the engine under one.
 */
export const readings: Readonly<Record<string, Partial<Settings>>> = {
	'failures-by-status': { failureStatus: 422 },
	'unknown-references-as-text': { unknownReferences: 'text' },
	'empty-lists-not-found-where-shown': { emptyLists: 'failed' },
	'empty-lists-not-found': { emptyLists: 'everywhere' },
	'empty-lists-null': { emptyLists: 'null' },
	'empty-parents-not-found': { emptyParents: 'failed' },
	'newest-first': { listOrder: 'newest' },
	'deleted-records-listed': { deletes: 'kept' },
	'group-entries-in-global-list': { groupEntries: 'number' },
	'group-entries-in-global-list-as-text': { groupEntries: 'text' },
	'ids-as-text': { numbers: 'idsAsText' },
	'ids-as-numbers': { numbers: 'idsAsNumber' },
	'numbers-as-text': { numbers: 'asText' },
	'further-fields': { furtherFields: 'some' },
	'nulls-left-out': { nulls: 'absent' },
	'nulls-empty': { nulls: 'empty' },
	'times-ahead-of-utc': { zoneMinutes: 330 },
	'times-behind-utc': { zoneMinutes: -480 },
	'methods-as-listed': { methods: 'listed' },
	'methods-as-shown': { methods: 'shown' },
	'two-digit-years': { dateFormat: 'YY-MM-DD' },
	'times-without-seconds': { timeFormat: 'HH:MM' },
	'times-with-seconds': { timeFormat: 'HH:MM:SS' },
	'unused-body-empty': { unusedBody: 'empty' },
	'templates-rendered-into-single-sends': { storedContent: 'rendered' },
	'unused-json-as-placeholder': { storedContent: 'placeholder' },
	'empty-keeps': { emptyInUpdate: 'keeps' },
	'segments-not-counted': { segmentCounts: 'zero' },
	'segments-evaluated-when-sending': { segmentCounts: 'whenSending' },
	'copies-sent-at-once': { copies: 'atOnce' },
	'updates-send-again': { updatesOfCompleted: 'sent' },
	'no-audience-is-everybody': { noAudience: 'everybody' },
	'no-address-twice': { duplicateEmail: 'refuse' },
	'bulk-deletes-by-id': { bulkIds: 'id' },
	'bulk-deletes-by-utr': { bulkIds: 'utr' },
	'bulk-deletes-skip-unknown': { bulkUnknown: 'skip' },
	'paused-is-draft': { pauseStatus: 0 },
	'no-dynamic-content': { dynamicContent: 'none' },
	'csv-sample-file': { csvSample: 'file' },
	'csv-sample-missing': { csvSample: 'missing' },
	'csv-refuses-bad-rows': { csvBadRow: 'refuse' },
	'csv-without-contact-type': { csvContactType: 'none' },
	'csv-without-custom-fields': { csvCustomFields: 'ignored' },
	'places-within-each-other': { locationMatch: 'nested' },
};

/** What responses may look like, all at once. */
export const formsAtOnce = [
	...['numbers-as-text', 'further-fields', 'nulls-left-out', 'failures-by-status'],
	'unknown-references-as-text',
].join(' + ');
