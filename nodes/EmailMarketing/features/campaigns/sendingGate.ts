/**
 * No send starts unchecked, from old data, or twice:
 *
 * - Nothing passes in an evaluation.
 * - A request has one try. The writer has it checked directly before, one request at a time (`sendingTurn`).
 * - Neither the request nor what its checks read is repeated, or waits for more than a short pause (`sendingClient`).
 * - A single send that was sent, or may have been, is updated only with "Allow Sending Again".
 * - An update never keeps "Send Immediately" from the stored record: an item must set it.
 * - A single send whose copy may be sent immediately is duplicated only with "Allow Sending Again".
 * - An update keeps the stored content, and is refused if it is unclear which content counts.
 * - An update that replaces content does not send immediately, or at a past time: the service may keep the old content.
 * - An update without fields is refused: it would change nothing, but might start the send.
 * - One execution starts a single send or an automation once, whichever of its nodes does, and a live automation is not
 *   started again. An automation that was paused in the meantime can be started again.
 * - What may have been created, copied or added is not made again in the same execution while its response is lost.
 * - A live automation is duplicated, or gets another email, only with "Allow Live Automation". One whose status is
 *   unknown counts as live, and is not set live.
 *
 * The checks before sending (`preflight`) come last, and check everything that the request sends.
 */
import type { IDataObject } from 'n8n-workflow';

import { Clearance } from '../../service/clearance';
import type { Fields } from '../../service/form';
import { currentRecord, mergeCurrent, recordKey, recordOf } from '../../run/mergeCurrent';
import type { Draft, DraftStep, Gate, RequestPlan, StepStage } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import { Starts } from '../../run/writer/starts';
import { InvalidInput } from '../../params/invalidInput';
import { flagParam } from '../../params/givenOption';
import type { Item } from '../../params/item';
import { requireSchedule, zoneOf } from '../../params/schedule';
import { emptiedBodies, isBuiltIn, storedContent } from '../../params/template';
import { records } from '../../records/records';
import { isUnsent } from '../../records/recordKind';
import { isLive } from '../../records/statusLabels';
import { codeText, coerceText } from '../../util/coerce';
import { labelOf } from '../../util/labels';
import { quote } from '../../util/text';
import { currentAutomation, preflightAutomation } from './checks/automation';
import { mayBeSentAgain, preflightSingleSend } from './checks/singleSend';
import { keptFields, singleSendDetails } from './singleSendFields';
import { hasPassed, isYetToCome } from './sendTime';
import { nameOf, refusalOf } from './checks/findings';
import { creationOf } from './ifNameExists';
import { noteLost, notAgainIfLost } from './lostDeeds';
import type { Finding } from './checks/findings';

const sent: Record<string, string> = { 2: 'is running', 3: 'is completed' };

/** The state of a single send that was sent, or may have been; undefined for one that has not been sent. */
export function sentState({ status }: IDataObject): string | undefined {
	if (isUnsent({ status })) return undefined;
	return sent[codeText(status)] ?? `has an unknown status, ${quote(status)}`;
}

/** The state of an automation that is live, or may be; undefined for one that is not. */
export function liveState({ status }: IDataObject): string | undefined {
	if (isLive({ status })) return 'is live';
	return /^(?:0|-?[1-9]\d*)$/.test(codeText(status))
		? undefined
		: `has an unknown status, ${quote(status)}`;
}

/** Whether it is known which content of a single send (40) counts: it may have several, or a placeholder. */
export function checkStoredContent(record: IDataObject, item: Item): Finding[] {
	const { isUnclear, stored } = storedContent(record, item);
	if (!isUnclear) return [];
	return [
		{
			code: 'content-unclear',
			field: 'Content',
			problem: `It is unclear which content of the campaign to use: it has ${stored.join(' and ')}`,
			remedy:
				'Set the template, the HTML or the JSON of the campaign again, or choose one with "Compatibility: Stored Content" in Options.',
		},
	];
}

function refuseSendingAgain(record: IDataObject, item: Item): void {
	const state = sentState(record);
	if (state === undefined || mayBeSentAgain(item)) return;
	throw new InvalidInput(
		'update-may-send-again',
		`The campaign ${state}: updating it may send it again`,
		'To update it anyway, turn on "Allow Sending Again" in Options. To send the campaign again on purpose, create another one with its content.',
	);
}

/** The reference does not say whether an update with an empty content clears it (41). */
function refuseSendingReplaced(emptied: readonly string[]): void {
	if (emptied.length === 0) return;
	const old = emptied.map(labelOf).join(' and ');
	throw new InvalidInput(
		'content-unclear',
		`The service may keep the old ${old} and send it`,
		`First replace the content with one "Campaign: Update" that sets "Send at a Set Time" and a "Send At" far in the future. Then send the campaign with a second "Campaign: Update". If the service made the old ${old} from the template of the campaign, choose "Design Template" with "Compatibility: Stored Content" in Options instead.`,
	);
}

/**
 * Whether an update may send immediately: now, or at a time that has passed. A kept time may have passed in the time
 * zone of the account, which is unknown.
 */
const isDue = (given: Fields, merged: Fields, item: Item): boolean =>
	given.schedule_date === undefined
		? !isYetToCome(merged)
		: hasPassed(merged, zoneOf(item, 'updateFields.'));

/** Merges an update (41) with the single send, read directly before it. */
const keepCurrent = mergeCurrent({
	...singleSendDetails,
	fields: keptFields,
	check: refuseSendingAgain,
	// Beside a template, it may be what the service has made of the template.
	replaced: (record, ...fields) =>
		isBuiltIn(record.template_id) ? [] : emptiedBodies(record, ...fields),
	checkKept: ({ body, item }, kept, record) => {
		const unclear = body.template_id === undefined ? checkStoredContent(record, item) : [];
		if (unclear.length > 0) throw refusalOf(unclear, '');
		if (kept.schedule_type === '0') {
			throw new InvalidInput(
				'update-may-send',
				'The campaign is set to be sent immediately: updating it may send it to everyone',
				'Add "Schedule" to "Update Fields": choose "Send at a Set Time" and add "Send At", or choose "Send Immediately" to send it now.',
			);
		}
		const merged = { ...body, ...kept };
		requireSchedule(merged);
		const isOfTemplate = storedContent(record, item).chosen === 'template';
		if (isDue(body, merged, item) && !isOfTemplate) {
			refuseSendingReplaced(emptiedBodies(record, body, kept));
		}
	},
});

const refuseEmptyUpdate: DraftStep = async ({ body }) => {
	if (Object.keys(body).some((field) => field !== 'utr' && body[field] !== undefined)) return;
	throw new InvalidInput(
		'nothing-to-update',
		'Nothing to update: no field is set',
		'Add the fields to change to "Update Fields". An update without fields changes nothing, but might send the campaign.',
	);
};

/** How the starts of an execution name a single send or an automation. */
export const startKey = ({ service }: RunContext, utr: string): string =>
	`${service} ${recordKey(utr)}`;

const startOf = (draft: Draft): string => startKey(draft.run, recordOf(draft, 'utr'));

/** After an earlier item, node or run has started a send, or may have, the record may not show that yet. */
function startOnce(
	draft: Draft,
	isStart: boolean,
	refusal: (starter: string) => InvalidInput,
): void {
	const { run, item } = draft;
	const starts = new Starts(run);
	const record = startOf(draft);
	const starter = starts.starterOf(record, item);
	if (starter !== undefined && !mayBeSentAgain(item)) throw refusal(starter);
	if (isStart) draft.onSent = () => starts.note(record, item);
}

/** The time zone of the send time that an update sets; undefined if it keeps the stored time, whose zone is unknown. */
const zoneOfUpdate = ({ kept, item }: Draft): string | undefined =>
	kept?.has('schedule_date') ? undefined : zoneOf(item, 'updateFields.');

/** An update to a time that has passed may send as well. */
const sendOnce: DraftStep = async (draft) =>
	startOnce(
		draft,
		draft.body.schedule_type === '0' || hasPassed(draft.body, zoneOfUpdate(draft)),
		(starter) =>
			new InvalidInput(
				'sent-by-another-item',
				`The campaign may have been sent by ${starter}: updating it once more may send it again`,
				'Set all fields of the campaign in one item. To update it anyway, turn on "Allow Sending Again" in Options.',
			),
	);

/**
 * A later node may update a new single send (38) that is sent immediately, or at a time that has passed, or create one of
 * its name again if nobody knows whether it exists.
 */
const noteNewStart: DraftStep = async (draft) => {
	const { run, item, body } = draft;
	const isStart = body.schedule_type === '0' || hasPassed(body, zoneOf(item, ''));
	draft.onSent = (items) => {
		const starts = new Starts(run);
		if (items.length === 0) noteLost(draft, creationOf(draft));
		const utrs = items.map(({ json }) => coerceText(json.utr)).filter((utr) => utr !== '');
		for (const utr of isStart ? utrs : []) starts.note(startKey(run, utr), item);
	};
};

const setLiveOnce: DraftStep = async (draft) =>
	startOnce(
		draft,
		true,
		(starter) =>
			new InvalidInput(
				'sent-by-another-item',
				`The automation may have been set live by ${starter}: setting it live once more may send its emails again`,
				'Check the automation in the service. Pass each automation to the node only once.',
			),
	);

/** Automation: Pause (48). What was certainly paused can be set live again. */
export const forgetPaused: RequestPlan['complete'] = async (run, written) => {
	const starts = new Starts(run);
	for (const { draft } of written) starts.forget(startOf(draft));
};

/** Skips Set Live (49) if the automation is live by then, for example because an earlier item has set it live. */
const skipLive: DraftStep = async (draft) => {
	const record = await currentAutomation(draft);
	const state = liveState(record);
	if (state === undefined) return undefined;
	const name = nameOf(record, records.automation);
	if (!isLive(record)) {
		throw new InvalidInput(
			'automation-live',
			`The automation ${name} ${state}: setting it live may send its emails again`,
			'Check the automation in the service, and set it live there.',
		);
	}
	return {
		live: true,
		skipped: 'already live',
		...draft.identity,
		message: `The automation ${name} is already live; nothing was sent`,
	};
};

/** The reference does not say what a copy keeps, or whether it is sent on its own (39). */
const refuseSendingCopy: DraftStep = async (draft) => {
	if (mayBeSentAgain(draft.item)) return;
	const { record } = await currentRecord(draft, singleSendDetails);
	if (isYetToCome(record)) return;
	throw new InvalidInput(
		'copy-may-send',
		'A copy of this campaign may be sent to everyone immediately: its send time is not certain to be in the future, or is not set',
		'To duplicate it anyway, turn on "Allow Sending Again" in Options. To be safe, use "Campaign: Create" with a send time.',
	);
};

/** @param what may reach people because the automation is live, or may be */
const refuseLive =
	(what: string): DraftStep =>
	async (draft) => {
		const label = 'Allow Live Automation';
		if (flagParam(draft.item, 'options.allowLive', label)) return;
		const record = await currentAutomation(draft);
		const state = liveState(record);
		if (state === undefined) return;
		throw new InvalidInput(
			'automation-live',
			`The automation ${nameOf(record, records.automation)} ${state}: ${what} immediately, without a check`,
			`Pause it first with "Automation: Pause". "Automation: Set Live" then checks its emails. To continue without this check, turn on "${label}" in Options.`,
		);
	};

/** The UTR of a campaign is none of an automation. */
const copiedOnce = (deed: string): DraftStep =>
	notAgainIfLost((draft) => ({
		key: `copy ${recordKey(recordOf(draft, 'utr'))}`,
		deed,
		remedy: 'Check the service. If there is no copy, start a new execution.',
	}));

/**
 * An evaluation runs the workflow once for each row of a dataset, to measure it.
 *
 * @throws InvalidInput
 */
export function refuseInEvaluation({ callerMode }: Pick<RunContext, 'callerMode'>): void {
	if (callerMode !== 'evaluation') return;
	throw new InvalidInput(
		'not-in-evaluation',
		'Nothing was sent: this operation may email people, and an evaluation runs it for each row of its dataset',
		'Before this node, add an Evaluation node with "Check If Evaluating", and connect this node to its "Normal" output.',
	);
}

const notInEvaluation: StepStage = { check: refuseInEvaluation, step: async () => undefined };

const sending = ({ ahead = [], ...stages }: Omit<Gate, 'name'>): Gate<'sending'> => ({
	name: 'sending',
	ahead: [notInEvaluation, ...ahead],
	...stages,
});

/** Single Send: Create (38). */
export const newSends: Gate<'sending'> = sending({
	after: [preflightSingleSend(), noteNewStart],
});

/** Single Send: Update (41). */
export const changedSends: Gate<'sending'> = sending({
	ahead: [refuseEmptyUpdate],
	before: [keepCurrent],
	after: [preflightSingleSend('updateFields.'), sendOnce],
});

/** Single Send: Duplicate (39). */
export const copiedSends: Gate<'sending'> = sending({
	before: [{ check: (_run, item) => void mayBeSentAgain(item), step: refuseSendingCopy }],
	after: [copiedOnce('The campaign may have been duplicated')],
});

/** Automation: Set Live (49). */
export const startedAutomations: Gate<'sending'> = sending({
	before: [skipLive],
	after: [preflightAutomation, setLiveOnce],
});

/** Automation: Duplicate (46). The reference does not say whether the copy of a live automation is live. */
export const copiedAutomations: Gate<'sending'> = sending({
	before: [refuseLive('its copy may be live too, and send emails')],
	after: [copiedOnce('The automation may have been duplicated')],
});

/** Automation Schedule: Create (49d). The checks before sending are those of Set Live. */
export const addedEmails: Gate<'sending'> = sending({
	before: [refuseLive('another email may be sent')],
	after: [
		notAgainIfLost((draft) => ({
			key: `email ${recordKey(recordOf(draft, 'utr'))} ${String(draft.body.subject)}`,
			deed: 'The email may have been added',
			remedy:
				'Check the automation in the service. If the email is not there, start a new execution.',
		})),
	],
});

/**
 * Single Send: Send Test (38), whose content and recipients were checked directly before.
 *
 * @throws InvalidInput if something was found
 */
export function clearTest(findings: Finding[]): Clearance<'sending'> {
	if (findings.length > 0) throw refusalOf(findings, '');
	return new Clearance('sending');
}
