import { LISTED } from '../histories/executions.ts';
import type { Entry } from '../histories/history.ts';

const texts = new WeakMap<object, string>();

function text({ data }: Pick<Entry, 'data'>): string {
	if (!data) return '{}';
	let json = texts.get(data);
	if (json === undefined) {
		json = JSON.stringify(data);
		texts.set(data, json);
	}
	return json;
}
const failed = (code: string) => (entry: Entry) =>
	['fail', 'ok'].includes(entry.type) && text(entry).includes(`"code":"${code}"`);
const ENDS = ['output', 'node failed', 'execution'];
const says = (words: string) => (entry: Entry) =>
	entry.type !== 'invoke' && ENDS.includes(entry.op) && text(entry).includes(words);
const output = (operation: string, words: string) => (entry: Entry) =>
	entry.data?.operation === operation && text(entry).includes(words);
/** Whether an update has emptied a field. */
function clears(data: Entry['data'] = {}): boolean {
	const { body, before } = data as Record<string, Record<string, unknown> | undefined>;
	const fields = Object.entries(body ?? {});
	return before !== undefined && fields.some(([name, value]) => value === '' && before[name]);
}
/** Whether the run sent a request for a campaign whose response was lost. */
const hasLost = (data: Entry['data'], entries: readonly Entry[]) => {
	const lost = new Set(entries.flatMap(({ type, id }) => (type === 'info' ? [id] : [])));
	return entries.some(
		({ op, of, type, id }) =>
			op === 'POST /single/send/create' && of === data?.run && type === 'invoke' && lost.has(id),
	);
};
const isTrouble = (what: string) => (entry: Entry) =>
	entry.process === 'trouble' && entry.data?.[what] !== undefined;

/** What a simulation is for. If none of many seeds leads to one of these, nothing is known about it. */
const SOMETIMES: Record<string, (entry: Entry, entries: readonly Entry[]) => boolean> = {
	'a poll fails': ({ op, type }) => op === 'poll' && type === 'fail',
	'a list is unreadable for an hour': failed('list-unreadable'),
	'most of a list is missing': failed('records-missing'),
	'a read is given up': ({ op, type, data }) =>
		op.startsWith('GET ') && type === 'info' && data?.lost === 'canceled',
	'n8n discards what a poll found': ({ data }) => data?.isDiscarded === true,
	'n8n fails to save the events of a poll': ({ op, type }) => op === 'emit' && type === 'fail',
	'several polls start at once': isTrouble('pollsAtOnce'),
	'a second main takes over': ({ op }) => op === 'leads',
	'the clock is set back': ({ data }) => Number(data?.clock) < 0,
	'a main is killed': ({ op }) => op === 'killed',
	'a lost write is found in the list': says(LISTED),
	'a lost write is not in the list': says('does not show this write'),
	'a node runs again after it failed': ({ op }) => op === 'node failed',
	'a limit stops a run': failed('too-many-removals'),
	'a contact is removed': says('"action":"deleted"'),
	'a contact is moved': says('"action":"moved"'),
	'a contact is added to a group': says('"action":"addedToGroup"'),
	'a contact is not removed yet': says('not removed yet'),
	'somebody is skipped who unsubscribed': says('"reason":"unsubscribed"'),
	'somebody is skipped whom others removed': says('removed in the service'),
	'a contact is found by its external ID': says('Found by the external ID'),
	'an item has the ID of a contact of another type': says('. It belongs to contact type'),
	'an item has the ID of no contact': says('does not exist in this contact type'),
	'an item has an ID that cannot be read': says('which is not an ID'),
	'an item has the email of another contact': says('already belongs to contact'),
	'somebody is not removed, since an item may mean anyone': says(
		'an unreadable item could refer to',
	),
	'a field is cleared': ({ op, data }) => op === 'effect' && clears(data),
	'a new contact has no country': says('but the service requires it for new contacts'),
	'custom fields are imported': ({ op, data }) =>
		op === 'effect' && /upload-csv.*,plan/.test(text({ data })),
	'custom fields are not written': says('customFieldsNotWritten'),
	'custom fields that are required cannot be imported': says(
		'its custom fields could not be imported',
	),
	'a custom field is not one of the service': failed('custom-field-unknown'),
	'a limit on additions stops a run': failed('too-many-additions'),
	'a limit on updates stops a run': failed('too-many-updates'),
	'a limit on failures stops a run': failed('too-many-failures'),
	'an approved plan is applied': ({ op, data }) =>
		op === 'output' && data?.operation === 'applyPlan',
	'a planned contact has changed since': says('changed since the plan'),
	'contacts are imported as a file': ({ op, data }) =>
		op === 'effect' && text({ data }).includes('/contacts/upload-csv'),
	'contacts are created one by one after a trial': says('sent one by one instead of as a file'),
	'a recipient is added': output('syncRecipients', '"action":"added"'),
	'a recipient is removed': output('syncRecipients', '"action":"removed"'),
	'a recipient is not removed yet': output('syncRecipients', 'not removed yet'),
	'a lost addition of a recipient is found in the list': output('syncRecipients', LISTED),
	'a write is not repeated as the node runs again': says('this request was not repeated'),
	'a campaign is not sent, since a list cannot be read': failed('checks-incomplete'),
	'a campaign is not sent from a sender that is not verified': failed('sender-not-verified'),
	'a campaign is not updated, since it has left': failed('update-may-send-again'),
	'a campaign is not started by another item as well': failed('sent-by-another-item'),
	'a campaign is not copied, since the copy may be sent': failed('copy-may-send'),
	'a campaign whose name exists is not created': failed('single-send-exists'),
	'a campaign whose name exists is returned': says('already exists; nothing was created'),
	'a live automation is left alone': says('is already live'),
	'an automation without emails stays a draft': says('The automation has no email to send'),
	'a lost test is found by its name': ({ op, data }, entries) =>
		op === 'output' && text({ data }).includes('"sent":true') && hasLost(data, entries),
	'a test may have been sent': failed('test-uncertain'),
	'rows of a file are held back': says('Rows not uploaded because'),
	'an erasure is complete': output('erase', '"isComplete":true'),
	'an erasure is incomplete': failed('erasure-incomplete'),
	'nobody is erased who could not be suppressed': says('not deleted, since the address is not on'),
	'a person is added during the erasure': says('it was added during the erasure'),
};

export const sometimes = Object.keys(SOMETIMES);

/** Which of them happened, other than those that are known to. */
export const happened = (entries: readonly Entry[], known: ReadonlySet<string>): string[] =>
	sometimes.filter(
		(name) => !known.has(name) && entries.some((entry) => SOMETIMES[name]?.(entry, entries)),
	);
