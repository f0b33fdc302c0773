import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../../service/endpoints';
import { ServiceError } from '../../../service/failure';
import type { Draft } from '../../../run/operation';
import { currentRecord, recordKey, recordOf } from '../../../run/mergeCurrent';
import { isDeleted } from '../../../records/recordKind';
import { records } from '../../../records/records';
import { isEmptyBody } from '../../../params/template';
import { coerceNumber, coerceText, isEmpty, textOrJson } from '../../../util/coerce';
import { settleAll } from '../../../util/promises';
import { quote } from '../../../util/text';
import { targetKinds } from './audience';
import { nameOf, notFound, preflight, refusalOf, withId } from './findings';
import type { Finding, ListReader } from './findings';
import { checkPlaceholders } from './placeholders';
import { checkSender, checkTemplate, checkUnsubscribeGroup } from './recordChecks';

/** The key of the audience's kind in `targetKinds`: automations return it with an underscore, as in `segments_`. */
export const targetTable = ({ automation_for_table: table }: IDataObject): string =>
	coerceText(table).replace(/_$/, '');

async function checkTarget(automation: IDataObject, lists: ListReader): Promise<Finding[]> {
	const { automation_for: id, automation_for_table: table } = automation;
	const kind = targetKinds.get(targetTable(automation));
	const isAssigned = coerceNumber(id) > 0;
	if (isAssigned && kind === undefined) {
		return [
			{
				code: 'audience-unknown',
				field: 'Audience',
				problem: `The audience of the automation is neither a contact type nor a segment: ${quote(`${coerceText(table)}${coerceText(id)}`)}`,
				remedy: 'Check the audience in the service, and set the automation live there.',
			},
		];
	}
	const { list } = kind ?? records.contactType;
	if (withId(await lists.records(list), id) !== undefined) return [];
	return [
		{
			code: isAssigned ? 'audience-not-found' : 'audience-missing',
			field: 'Audience',
			problem: isAssigned
				? `The audience of the automation no longer exists: ${kind === records.segment ? 'segment' : 'contact type'} ${coerceText(id)}`
				: 'The automation has no audience',
			remedy:
				'Assign a contact type or a segment in the service, or create the automation again with an "Audience".',
		},
	];
}

async function checkGroup(
	{ unsubscribe_group_id: id }: IDataObject,
	lists: ListReader,
): Promise<Finding[]> {
	if (coerceNumber(id) > 0) return await checkUnsubscribeGroup(id, lists);
	return [
		{
			code: 'unsubscribe-group-missing',
			field: 'Unsubscribe Group',
			problem: 'The automation has no unsubscribe group',
			remedy:
				'Assign one in the service, or create the automation again with an "Unsubscribe Group".',
		},
	];
}

/** The emails of an automation (49c). */
export const readSchedules = async (utr: string, lists: ListReader): Promise<IDataObject[]> =>
	await lists.records(endpoints.automationSchedule.getAll, { utr });

const bodies = ['template_html', 'template_json'] as const;

/** Whether an email has the body of its template. If the list shows no bodies at all, that is unknown. */
const usesTemplate = (schedule: IDataObject): boolean =>
	coerceNumber(schedule.template_id) > 0 &&
	bodies.some((body) => Object.hasOwn(schedule, body)) &&
	bodies.every((body) => isEmpty(schedule[body]) || isEmptyBody(schedule[body]));

async function checkSchedules(utr: string, lists: ListReader): Promise<Finding[]> {
	const schedules = await readSchedules(utr, lists);
	if (schedules.length === 0) {
		return [
			{
				code: 'emails-missing',
				field: 'Automation',
				problem: 'The automation has no email to send',
				remedy: 'Add one with "Automation Schedule: Create".',
			},
		];
	}
	const findings = await settleAll(
		schedules.flatMap((schedule) => {
			const email = `the email ${nameOf(schedule, records.automationSchedule)}`;
			return [
				checkSender(schedule.sender_id, lists, ` of ${email}`),
				usesTemplate(schedule) ? checkTemplate(schedule.template_id, lists, ` of ${email}`) : [],
				checkPlaceholders(
					[
						{ label: `Subject of ${email.replaceAll('"', "'")}`, text: schedule.subject },
						{ label: `HTML of ${email.replaceAll('"', "'")}`, text: schedule.template_html },
						{
							label: `JSON of ${email.replaceAll('"', "'")}`,
							text: textOrJson(schedule.template_json),
						},
					],
					lists,
				),
			];
		}),
	);
	return findings.flat();
}

/** @returns undefined for an automation that does not exist */
export async function readAutomation(
	utr: string,
	lists: ListReader,
): Promise<IDataObject | undefined> {
	const automations = await lists.records(endpoints.automation.getAll);
	const key = recordKey(utr);
	return automations.find((one) => recordKey(coerceText(one.utr)) === key && !isDeleted(one));
}

/** The problems that can be foreseen when an automation is set live (49). */
export async function checkAutomation(
	automation: IDataObject | undefined,
	utr: string,
	lists: ListReader,
): Promise<Finding[]> {
	if (automation === undefined) return [missing(utr)];
	const findings = await settleAll([
		checkGroup(automation, lists),
		checkTarget(automation, lists),
		checkSchedules(utr, lists),
	]);
	return findings.flat();
}

const missing = (utr: unknown): Finding => notFound('automation-not-found', 'Automation', utr);

/**
 * The automation (47) to set live, read just now.
 *
 * @throws InvalidInput if there is none, or it is deleted
 * @throws ServiceError
 */
export async function currentAutomation(draft: Draft): Promise<IDataObject> {
	const source = { details: endpoints.automation.get, id: 'utr', label: 'Automation' };
	try {
		return (await currentRecord(draft, source)).record;
	} catch (error) {
		const isNotFound = error instanceof ServiceError && error.failure.isNotFound;
		throw isNotFound ? refusalOf([missing(recordOf(draft, 'utr'))], '') : error;
	}
}

/** An empty audience is no mistake: people join it one by one. */
export const preflightAutomation = preflight(
	async (draft, { utr }, lists) =>
		await checkAutomation(await currentAutomation(draft), String(utr), lists),
);
