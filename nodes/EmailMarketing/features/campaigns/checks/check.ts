import type { IDataObject } from 'n8n-workflow';

import type { Caller, ItemWork } from '../../../run/operation';
import { readParameters } from '../../../run/parse';
import { idsLast } from '../../../run/output/simplify';
import { records } from '../../../records/records';
import { isLive, withStatusLabel } from '../../../records/statusLabels';
import { utr } from '../../../params/validators';
import { coerceNumber, coerceText } from '../../../util/coerce';
import { reachOf } from './audience';
import { labelOf } from '../../../util/labels';
import type { Audience } from './audience';
import { checkAutomation, readAutomation, readSchedules, targetTable } from './automation';
import { listReaderOf, nameOf } from './findings';
import type { Finding, ListReader } from './findings';
import { checkUnsubscribeLink } from './placeholders';
import type { CheckedSend } from '../sendTime';
import { existingUtr, missingFields, readExisting, readFields } from '../readSingleSend';
import { checkAutomationRules, checkSendRules, readRules } from './rules';
import type { Rules, Severity } from './rules';
import { checkStoredContent, liveState, sentState } from '../sendingGate';
import { audienceOf, checkKeptTime, checkSingleSend, checkTime, checkZone } from './singleSend';
import { singleSendFields } from '../singleSendFields';
import { summaryOfRecord } from '../summary';

type Judged = Finding & { severity: Severity };

const judge = (findings: Finding[], severity: Severity): Judged[] =>
	findings.map((finding) => ({ ...finding, severity: finding.isUnclear ? 'warning' : severity }));

interface Counts {
	audienceCount: number | null;
	/** Higher than that if the service counts more entries than it lists. */
	mostRecipients: number | null;
	leftOut: IDataObject;
}

/** How many would get the email, and how many are left out for which reason; null if unknown. */
async function countsOf(audience: Audience, lists: ListReader): Promise<Counts> {
	const reach = audience.recipients.length === 0 ? undefined : await reachOf(audience, lists);
	return {
		audienceCount: reach?.addresses.length ?? null,
		mostRecipients: reach?.most ?? null,
		leftOut: {
			excluded: reach?.leftOut.excluded ?? null,
			globalUnsubscribes: reach?.leftOut.globalUnsubscribes ?? null,
			unsubscribeGroup: reach?.leftOut.unsubscribeGroup ?? null,
			duplicateAddresses: reach?.leftOut.duplicateAddresses ?? null,
		},
	};
}

function verdict(findings: Judged[], counts: Counts): IDataObject {
	const problems = findings.filter(({ severity }) => severity === 'problem').length;
	return {
		canSend: problems === 0,
		audienceCount: counts.audienceCount,
		findings: findings.map(({ code, field, problem, remedy, severity }) => ({
			...{ code, field, text: problem, remedy, severity },
		})),
		leftOut: counts.leftOut,
	};
}

function messageOf({ canSend, findings }: IDataObject): string {
	const count = (findings as unknown[]).length;
	if (canSend === false) return 'Not ready to send: see the findings. Nothing was sent.';
	return count === 0
		? 'No problems found. Nothing was sent.'
		: 'Ready to send, with warnings. Nothing was sent.';
}

/** @param about what was checked, whose names come before the findings in n8n's table */
const withMessage = (result: IDataObject, about: IDataObject): IDataObject => ({
	message: messageOf(result),
	canSend: result.canSend,
	...idsLast({ ...about, ...result }),
});

const audienceUnknown: Finding = {
	code: 'audience-unknown',
	field: 'Recipient Names or IDs',
	problem:
		'The number of recipients is unknown: a chosen list is neither a contact type nor a segment, or the service counts no recipients in a segment',
	remedy:
		'Check the recipients and exclusions of the campaign in the service. The recipients of a segment may be determined only when the email is sent.',
};

const automationAudienceUnknown: Finding = {
	code: 'audience-unknown',
	field: 'Audience',
	problem:
		'The number of recipients is unknown: the audience is a segment in which the service counts no recipients',
	remedy:
		'Check the audience of the automation in the service. The recipients of a segment may be determined only when the email is sent.',
};

/** What "Existing Single Send" and "New Single Send" have in common. */
async function verdictOnSend(
	{ item }: Caller,
	rules: Rules,
	send: CheckedSend,
	found: Finding[],
	lists: ListReader,
): Promise<IDataObject> {
	const { fields } = send;
	const counts = await countsOf(audienceOf(fields), lists);
	const content = await checkSingleSend(fields, lists, true);
	const time = send.utr === undefined ? checkTime(item, fields, '') : [];
	const zone = send.utr === undefined ? checkZone(item, fields, '') : [];
	const isNew = ({ problem }: Finding) => found.every((one) => one.problem !== problem);
	const problems = [...found, ...content, ...time.filter(isNew)];
	const isUnknown = problems.length === 0 && counts.audienceCount === null;
	const broken = await checkSendRules(rules, item, send, counts.mostRecipients, lists);
	return verdict(
		[
			...judge(problems, 'problem'),
			...judge(isUnknown ? [audienceUnknown] : [], 'warning'),
			...judge(checkUnsubscribeLink(fields.template_html), 'warning'),
			...judge(zone, 'warning'),
			...judge(broken, rules.severity),
		],
		counts,
	);
}

const alreadySent = (state: string): Finding => ({
	code: 'already-sent',
	field: 'Campaign',
	problem: `The campaign ${state}, so it may have been sent already`,
	remedy: 'To send the campaign again on purpose, create another one with its content.',
});

interface SendCheckParameters {
	rules: Rules;
	utr: string | undefined;
}

/** Single Send: Check. */
export const sendCheck: ItemWork<SendCheckParameters> = {
	read: (item) => ({ rules: readRules(item), utr: existingUtr(item) }),
	perform: performSendCheck,
	changesData: false,
};

async function performSendCheck(
	caller: Caller,
	{ rules, utr }: SendCheckParameters,
): Promise<IDataObject> {
	const { item } = caller;
	const lists = listReaderOf(caller);
	const inputs = singleSendFields();
	if (utr === undefined) {
		const { fields, findings } = readFields(item, inputs);
		const { single_send_name = null, subject = null, preheader = null } = fields;
		// Without its exclusions, the audience is unknown.
		const excludes = labelOf('exclude_specific_recipient_id');
		if (findings.some(({ field }) => field === excludes)) delete fields.recipient_id;
		const result = await verdictOnSend(caller, rules, { fields }, findings, lists);
		return withMessage(result, { single_send_name, subject, preheader });
	}
	const { record, fields } = await readExisting(caller, utr);
	const state = sentState(record);
	const found = [
		...(state === undefined ? checkKeptTime(item, fields) : [alreadySent(state)]),
		...checkStoredContent(record, item),
		...missingFields(fields, inputs),
	];
	// The service may ignore the case of a UTR.
	const own = coerceText(record.utr) || utr;
	const result = await verdictOnSend(caller, rules, { fields, utr: own }, found, lists);
	const { status } = record;
	const { single_send_name, subject, ...rest } = summaryOfRecord(record);
	const names = { single_send_name, subject };
	const label = withStatusLabel({ status }, 'singleSend');
	return withMessage(result, { ...names, ...label, ...rest, utr });
}

const alreadyLive: Finding = {
	code: 'already-live',
	field: 'Automation',
	problem: 'The automation is already live',
	remedy: 'There is no need to set it live again.',
};

/** Set Live refuses such an automation. */
function checkStatus(automation: IDataObject): Finding[] {
	const state = liveState(automation);
	if (state === undefined || isLive(automation)) return [];
	return [
		{
			code: 'automation-live',
			field: 'Automation',
			problem: `The automation ${state}, so it may be live already`,
			remedy: 'Check the automation in the service, and set it live there.',
		},
	];
}

function automationAudience(automation: IDataObject): Audience {
	const id = coerceText(automation.automation_for);
	return {
		recipients: coerceNumber(id) > 0 ? [`${targetTable(automation)}_${id}`] : [],
		excluded: [],
		groupId: coerceText(automation.unsubscribe_group_id),
	};
}

interface AutomationCheckParameters {
	rules: Rules;
	key: string;
}

/** Automation: Check. */
export const automationCheck: ItemWork<AutomationCheckParameters> = {
	read(item) {
		const rules = readRules(item);
		const query = readParameters(item, { utr: utr('automationUtr', 'Automation') });
		return { rules, key: String(query.utr) };
	},
	perform: performAutomationCheck,
	changesData: false,
};

async function performAutomationCheck(
	caller: Caller,
	{ rules, key }: AutomationCheckParameters,
): Promise<IDataObject> {
	const lists = listReaderOf(caller);
	const automation = await readAutomation(key, lists);
	const utr = coerceText(automation?.utr) || key;
	const problems = [
		...(automation ? checkStatus(automation) : []),
		...(await checkAutomation(automation, utr, lists)),
	];
	const nothing: Audience = { recipients: [], excluded: [], groupId: '' };
	const counts = await countsOf(automation ? automationAudience(automation) : nothing, lists);
	if (automation === undefined) {
		return withMessage(verdict(judge(problems, 'problem'), counts), { utr });
	}
	const broken = await checkAutomationRules(rules, automation, counts.mostRecipients, lists);
	const isUnknown = problems.length === 0 && counts.audienceCount === null;
	const links = (await readSchedules(utr, lists)).flatMap((schedule) =>
		checkUnsubscribeLink(
			schedule.template_html,
			` of the email ${nameOf(schedule, records.automationSchedule)}`,
		),
	);
	const findings = [
		...judge(problems, 'problem'),
		...judge(isUnknown ? [automationAudienceUnknown] : [], 'warning'),
		...judge(links, 'warning'),
		...judge(isLive(automation) ? [alreadyLive] : [], 'warning'),
		...judge(broken, rules.severity),
	];
	const { automation_name, status } = automation;
	return withMessage(verdict(findings, counts), {
		automation_name,
		...withStatusLabel({ status }, 'automation'),
		utr,
	});
}
