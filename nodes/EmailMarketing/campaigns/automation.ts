import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import { coerceNumber, coerceText } from '../util/coerce';
import { settleAll } from '../util/settleAll';
import { nameOf, preflight, withId } from './findings';
import type { Finding, ListReader } from './findings';
import { checkPlaceholders } from './placeholders';
import { checkSender, checkUnsubscribeGroup } from './records';

async function checkTarget(automation: IDataObject, lists: ListReader): Promise<Finding[]> {
	const isSegment = coerceText(automation.automation_for_table).startsWith('segments');
	const list = isSegment ? endpoints.segment.getAll : endpoints.contactType.getAll;
	if (withId(await lists.records(list), automation.automation_for) !== undefined) return [];
	return [
		{
			problem:
				coerceNumber(automation.automation_for) > 0
					? `The audience of the automation no longer exists: ${isSegment ? 'segment' : 'contact type'} ${coerceText(automation.automation_for)}`
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
			problem: 'The automation has no unsubscribe group',
			remedy:
				'Assign one in the service, or create the automation again with an "Unsubscribe Group".',
		},
	];
}

async function checkSchedules(utr: string, lists: ListReader): Promise<Finding[]> {
	const schedules = await lists.records(endpoints.automationSchedule.getAll, { utr });
	if (schedules.length === 0) {
		return [
			{
				problem: 'The automation has no email to send',
				remedy: 'Add one with Automation Schedule > Create.',
			},
		];
	}
	const findings = await settleAll(
		schedules.flatMap((schedule) => {
			const email = `the email ${nameOf(schedule, 'subject')}`;
			return [
				checkSender(schedule.sender_id, lists, ` of ${email}`),
				checkPlaceholders(
					[
						{ label: `Subject of ${email.replaceAll('"', "'")}`, text: schedule.subject },
						{ label: `HTML of ${email.replaceAll('"', "'")}`, text: schedule.template_html },
					],
					lists,
				),
			];
		}),
	);
	return findings.flat();
}

/**
 * What can be known to go wrong when an automation is set live (49). That its audience is empty at
 * first is no mistake: people come into it one by one.
 */
export const preflightAutomation = preflight(async (_context, { utr }, lists) => {
	const automation = (await lists.records(endpoints.automation.getAll)).find(
		(one) => one.utr === utr,
	);
	if (automation === undefined) {
		return [
			{
				problem: `"Automation" does not exist: ${String(utr)}`,
				remedy: 'Choose an automation from the list.',
			},
		];
	}
	const findings = await settleAll([
		checkGroup(automation, lists),
		checkTarget(automation, lists),
		checkSchedules(String(utr), lists),
	]);
	return findings.flat();
});
