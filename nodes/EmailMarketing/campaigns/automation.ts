import type { IDataObject } from 'n8n-workflow';

import { coerceNumber, coerceText } from '../util/coerce';
import { settleAll } from '../util/settleAll';
import type { Finding, Look } from './findings';
import { nameOf, preflight, withId } from './findings';
import { checkPlaceholders } from './placeholders';
import { checkSender, checkUnsubscribeGroup } from './records';

async function checkTarget(automation: IDataObject, look: Look): Promise<Finding[]> {
	const isSegment = coerceText(automation.automation_for_table).startsWith('segments');
	const list = isSegment ? 'segments' : 'contactTypes';
	if (withId(await look(list), automation.automation_for) !== undefined) return [];
	return [
		{
			problem:
				coerceNumber(automation.automation_for) > 0
					? `The audience of the automation does not exist any more: ${isSegment ? 'segment' : 'contact type'} ${coerceText(automation.automation_for)}`
					: 'The automation has no audience',
			remedy:
				'Give it a contact type or a segment in the service, or create it anew with an "Audience".',
		},
	];
}

async function checkGroup(
	{ unsubscribe_group_id: id }: IDataObject,
	look: Look,
): Promise<Finding[]> {
	if (coerceNumber(id) > 0) return await checkUnsubscribeGroup(id, look);
	return [
		{
			problem: 'The automation has no unsubscribe group',
			remedy: 'Assign one in the service, or create it anew with an "Unsubscribe Group".',
		},
	];
}

async function checkSchedules(utr: string, look: Look): Promise<Finding[]> {
	const schedules = await look('automationSchedules', { utr });
	if (schedules.length === 0) {
		return [
			{
				problem: 'The automation has no email to send',
				remedy: 'Add one with "Create" of Automation Schedule.',
			},
		];
	}
	const findings = await settleAll(
		schedules.flatMap((schedule) => {
			const email = `the email ${nameOf(schedule, 'subject')}`;
			return [
				checkSender(schedule.sender_id, look, ` of ${email}`),
				checkPlaceholders(
					[
						{ label: `Subject of ${email.replaceAll('"', "'")}`, text: schedule.subject },
						{ label: `HTML of ${email.replaceAll('"', "'")}`, text: schedule.template_html },
					],
					look,
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
export const preflightAutomation = preflight(async (_context, { utr }, look) => {
	const automation = (await look('automations')).find((one) => one.utr === utr);
	if (automation === undefined) {
		return [
			{
				problem: `"Automation" does not exist: ${String(utr)}`,
				remedy: 'Choose an automation from the list.',
			},
		];
	}
	const findings = await settleAll([
		checkGroup(automation, look),
		checkTarget(automation, look),
		checkSchedules(String(utr), look),
	]);
	return findings.flat();
});
