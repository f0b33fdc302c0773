import { LOCATION_SHAPES, type LocationShape } from './data/locations.ts';

/** Everything that the reference leaves open and that a test may want otherwise. */
export interface Settings {
	/** HTTP status of failures: always 200, or 422 (401 for credentials, 404 for unknown records). */
	failureStatus: 200 | 422;
	latencyMs: number;
	/** Up to this many milliseconds on top of the latency. */
	jitterMs: number;
	/** Requests per second; further ones are answered with 429 and Retry-After. Null for no limit. */
	rateLimit: number | null;
	/** One step of the single sends per so many milliseconds of the virtual clock; 0 stops them. */
	tickMs: number;
	/** What an automation's status becomes by #48. */
	pauseStatus: number;
	duplicateEmail: 'allow' | 'refuse';
	/** What an address must look like: something round an @, or with a domain that has a dot. */
	emailSyntax: 'any' | 'domain';
	/** An optional text sent empty when creating: taken as empty, or refused. */
	emptyOptional: 'accept' | 'refuse';
	/** What form schedule_time must have. */
	timeFormat: 'any' | 'HH:MM' | 'HH:MM:SS';
	locationShape: LocationShape;
	/** State and city of a sender: any of #50, or within the country and the state. */
	locationMatch: 'any' | 'nested';
	/** #36: the names of the reference, or an empty list. */
	dynamicContent: 'all' | 'none';
	/** #20: the empty object that is shown, a CSV attachment, or its failure. */
	csvSample: 'object' | 'file' | 'missing';
	/** #21: CSV header → contact field. */
	csvColumns: Record<string, string>;
	/** #21: a row without a valid address or a known country is left out, or the whole file is refused. */
	csvBadRow: 'skip' | 'refuse';
	/** #21: files with more rows are refused; null takes all. */
	csvMaxRows: number | null;
	/** #21: contacts are there so long after the import has succeeded. */
	csvDelayMs: number;
	/** #21: the contact type of imported contacts, the one that was sent or 0. */
	csvContactType: 'sent' | 'none';
	/** #21: columns with the names of custom fields fill these, or are ignored. */
	csvCustomFields: 'filled' | 'ignored';
	/** What the entries of strIds may be in #43 and #49b. */
	bulkIds: 'both' | 'id' | 'utr';
	/** A bulk delete that names an unknown record: refused as a whole, or deletes the others. */
	bulkUnknown: 'refuse' | 'skip';
	/** Lists other than #1, which shows the newest first. */
	listOrder: 'oldest' | 'newest';
	/** #1: the entries of unsubscribe groups are not listed, or with the id of the group as number or text. */
	groupEntries: 'apart' | 'number' | 'text';
	/** An empty list that takes no id: `Record Not Found` where that is its failure (#35, #36, #44) or everywhere, or null. */
	emptyLists: 'success' | 'failed' | 'everywhere' | 'null';
	/** #10, #27 and #49c show `Record Not Found` as their failure: for an unknown record only, or for an empty list too. */
	emptyParents: 'success' | 'failed';
	/** Ids, or all numbers, as the reference shows them, as texts or as numbers. */
	numbers: 'shown' | 'idsAsText' | 'idsAsNumber' | 'asText';
	/** Records and envelopes have fields that the reference does not list. */
	furtherFields: 'none' | 'some';
	/** Fields of records that are null: as shown, left out, or empty texts. */
	nulls: 'shown' | 'absent' | 'empty';
	/** Minutes by which sent_at, live_at and send_at are ahead of UTC. */
	zoneMinutes: number;
	/** The failure of an id in the body that is not known: an object, or a text. */
	unknownReferences: 'object' | 'text';
	/** Deleted records with a field deleted_at: not there any more, or still there with the time. */
	deletes: 'gone' | 'kept';
	/** #39 and #51, whose method is listed as one and shown as the other. */
	methods: 'both' | 'listed' | 'shown';
	/** What form schedule_date must have. */
	dateFormat: 'any' | 'YYYY-MM-DD' | 'YY-MM-DD';
	/** #38 and #41, the form of the template that is not used: may be left out, or must be sent empty. */
	unusedBody: 'any' | 'empty';
	/** #40: the contents of a single send as they were sent, with those of its template, or with {} for JSON that is not used. */
	storedContent: 'sent' | 'rendered' | 'placeholder';
	/** An optional field that an update sends empty: cleared, or as if it were not sent. */
	emptyInUpdate: 'clears' | 'keeps';
	/**
	 * #26 and #27: all recipients are counted and listed, none is counted, or those that the conditions of the segment find
	 * (they have a contact_id) are found only when something is sent.
	 */
	segmentCounts: 'recipients' | 'zero' | 'whenSending';
	/** #39 and #46: a copy is sent when its original would be, or at once; that of an automation is a draft, or live like it. */
	copies: 'asOriginal' | 'atOnce';
	/** #41 of a single send that is completed: changes what is stored, or sends it again. */
	updatesOfCompleted: 'stored' | 'sent';
	/** #45 without automation_for: the automation is for nobody, or for everybody. */
	noAudience: 'nobody' | 'everybody';
	/** Verifies a sender so long after its verification mail; null never does. */
	autoVerifyMs: number | null;
}

export const CSV_FIELDS = [
	'first_name',
	'last_name',
	'email',
	'alt_email',
	'country',
	'state',
	'city',
	'address_line1',
	'address_line2',
	'state_province_region',
	'postal_code',
] as const;

export const defaultSettings: Settings = {
	failureStatus: 200,
	latencyMs: 0,
	jitterMs: 0,
	rateLimit: null,
	tickMs: 5000,
	pauseStatus: 2,
	duplicateEmail: 'allow',
	emailSyntax: 'any',
	emptyOptional: 'accept',
	timeFormat: 'any',
	locationShape: 'id-name',
	locationMatch: 'any',
	dynamicContent: 'all',
	csvSample: 'object',
	csvColumns: Object.fromEntries(CSV_FIELDS.map((field) => [field, field])),
	csvBadRow: 'skip',
	csvMaxRows: null,
	csvDelayMs: 0,
	csvContactType: 'sent',
	csvCustomFields: 'filled',
	bulkIds: 'both',
	bulkUnknown: 'refuse',
	listOrder: 'oldest',
	groupEntries: 'apart',
	emptyLists: 'success',
	emptyParents: 'success',
	numbers: 'shown',
	furtherFields: 'none',
	nulls: 'shown',
	zoneMinutes: 0,
	unknownReferences: 'object',
	deletes: 'gone',
	methods: 'both',
	dateFormat: 'YYYY-MM-DD',
	unusedBody: 'any',
	storedContent: 'sent',
	emptyInUpdate: 'clears',
	segmentCounts: 'recipients',
	copies: 'asOriginal',
	updatesOfCompleted: 'stored',
	noAudience: 'nobody',
	autoVerifyMs: null,
};

const milliseconds = { type: 'number', minimum: 0 };

/** JSON schema of a change of settings. */
export const settingsSchema = {
	type: 'object',
	additionalProperties: false,
	properties: {
		failureStatus: { enum: [200, 422] },
		latencyMs: milliseconds,
		jitterMs: milliseconds,
		rateLimit: { type: ['integer', 'null'], minimum: 1 },
		tickMs: milliseconds,
		pauseStatus: { type: 'integer' },
		duplicateEmail: { enum: ['allow', 'refuse'] },
		emailSyntax: { enum: ['any', 'domain'] },
		emptyOptional: { enum: ['accept', 'refuse'] },
		timeFormat: { enum: ['any', 'HH:MM', 'HH:MM:SS'] },
		locationShape: { enum: LOCATION_SHAPES },
		locationMatch: { enum: ['any', 'nested'] },
		dynamicContent: { enum: ['all', 'none'] },
		csvSample: { enum: ['object', 'file', 'missing'] },
		csvColumns: {
			type: 'object',
			additionalProperties: { enum: CSV_FIELDS },
		},
		csvBadRow: { enum: ['skip', 'refuse'] },
		csvMaxRows: { type: ['integer', 'null'], minimum: 1 },
		csvDelayMs: milliseconds,
		csvContactType: { enum: ['sent', 'none'] },
		csvCustomFields: { enum: ['filled', 'ignored'] },
		bulkIds: { enum: ['both', 'id', 'utr'] },
		bulkUnknown: { enum: ['refuse', 'skip'] },
		listOrder: { enum: ['oldest', 'newest'] },
		groupEntries: { enum: ['apart', 'number', 'text'] },
		emptyLists: { enum: ['success', 'failed', 'everywhere', 'null'] },
		emptyParents: { enum: ['success', 'failed'] },
		numbers: { enum: ['shown', 'idsAsText', 'idsAsNumber', 'asText'] },
		furtherFields: { enum: ['none', 'some'] },
		nulls: { enum: ['shown', 'absent', 'empty'] },
		zoneMinutes: { type: 'integer' },
		unknownReferences: { enum: ['object', 'text'] },
		deletes: { enum: ['gone', 'kept'] },
		methods: { enum: ['both', 'listed', 'shown'] },
		dateFormat: { enum: ['any', 'YYYY-MM-DD', 'YY-MM-DD'] },
		unusedBody: { enum: ['any', 'empty'] },
		storedContent: { enum: ['sent', 'rendered', 'placeholder'] },
		emptyInUpdate: { enum: ['clears', 'keeps'] },
		segmentCounts: { enum: ['recipients', 'zero', 'whenSending'] },
		copies: { enum: ['asOriginal', 'atOnce'] },
		updatesOfCompleted: { enum: ['stored', 'sent'] },
		noAudience: { enum: ['nobody', 'everybody'] },
		autoVerifyMs: { type: ['number', 'null'], minimum: 0 },
	},
};
