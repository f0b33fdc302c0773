import type { IDataObject } from 'n8n-workflow';

/** What a user sets in "Compatibility" where the node does not find out by itself. */
const options: Readonly<Record<string, IDataObject>> = {
	'methods-as-listed': { requestMethod: 'GET' },
	'methods-as-shown': { requestMethod: 'POST' },
	'two-digit-years': { dateFormat: 'yy-MM-dd' },
	'times-without-seconds': { timeFormat: 'HH:mm' },
	'times-with-seconds': { timeFormat: 'HH:mm:ss' },
	'unused-body-empty': { unusedContent: 'empty' },
	'templates-rendered-into-single-sends': { storedContent: 'template' },
	'unused-json-as-placeholder': { storedContent: 'template' },
};

/** Operations whose effect or output must differ under a reading, and why. */
const differences: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'group-entries-in-global-list': {
		'globalUnsubscribe getAll': 'The list contains the entries of groups.',
	},
	'group-entries-in-global-list-as-text': {
		'globalUnsubscribe getAll': 'The list contains the entries of groups.',
	},
	'segments-evaluated-when-sending': {
		'segment getRecipients': 'The recipients are what the reading is about.',
		'segment deleteRecipient by email': 'The recipient is not listed.',
		'segment syncRecipients': 'Recipients who are not listed are added again.',
		'person find': 'The recipient is not listed.',
		'person erase': 'The recipient is not listed, so it stays; the receipt says so.',
	},
	'copies-sent-at-once': { 'singleSend duplicate': 'The copy is what the reading is about.' },
	'no-address-twice': {
		'contact create mapped automatically': 'It creates a contact whose address exists, on purpose.',
	},
	'bulk-deletes-by-utr': {
		'automation deleteMany': 'It is run with IDs; engine/operations also runs it with UTRs.',
		'singleSend deleteMany': 'It is run with IDs; engine/operations also runs it with UTRs.',
	},
	'paused-is-draft': { 'automation pause': 'The status is what the reading is about.' },
	'no-dynamic-content': {
		'designTemplate getDynamicContent': 'The list is what the reading is about.',
	},
	'csv-without-contact-type': {
		'contact importCsv': 'The contact type of imported contacts is what the reading is about.',
	},
};

/** The name of several readings at once has a plus sign between them. */
export const namesIn = (reading: string): string[] => reading.split(' + ');

export const optionsUnder = (reading: string): IDataObject =>
	Object.assign({}, ...namesIn(reading).map((name) => options[name])) as IDataObject;

export const mayDiffer = (reading: string, operation: string): boolean =>
	namesIn(reading).some((name) => differences[name]?.[operation] !== undefined);
