import { blanks } from '../blanks.ts';
import {
	deleteMany,
	endpoint,
	stamps,
	unknownReferences,
	update,
	type Context,
} from '../endpoint.ts';
import { dateTime } from '../format.ts';
import { ordered } from '../lists.ts';
import type { Automation } from '../model.ts';
import { integer, oneOf, optional, recipient, references, text } from '../params.ts';
import { notFound, refused, success } from '../replies.ts';
import { byReference, recipientExists } from './shared.ts';

const utr = text();

export const LIVE = 1;
/** The numbers of automation_type are not shown. */
const AUTOMATION_TYPE = { welcome: 1, custom: 2 };

function removeAutomation({ tables }: Context, automation: Automation): void {
	for (const schedule of tables.automationSchedules.all()) {
		if (schedule.automation_id === automation.id) tables.automationSchedules.remove(schedule.id);
	}
	tables.automations.remove(automation.id);
}

function copy({ tables, clock, settings }: Context, automation: Automation): Automation {
	const now = clock.now();
	const blank = blanks.automations(tables.automations.nextId, now);
	const made: Automation = {
		...blank,
		automation_for: automation.automation_for,
		automation_for_table: automation.automation_for_table,
		automation_name: `${automation.automation_name} (copy)`,
		automation_type: automation.automation_type,
		exit_criteria: automation.exit_criteria,
		unsubscribe_group_id: automation.unsubscribe_group_id,
		...(settings.copies === 'atOnce' && { status: automation.status, live_at: automation.live_at }),
	};
	tables.automations.put(made);
	for (const schedule of tables.automationSchedules.all()) {
		if (schedule.automation_id !== automation.id) continue;
		const fresh = blanks.automationSchedules(tables.automationSchedules.nextId, now);
		const { id, utr: scheduleUtr, design_url } = fresh;
		const own = { id, utr: scheduleUtr, design_url, automation_id: made.id, ...stamps(now) };
		tables.automationSchedules.put({ ...schedule, ...own });
	}
	return made;
}

export const automations = [
	endpoint({
		number: '44',
		method: 'GET',
		path: '/automations',
		run: (_input, { tables, settings }) => {
			const counts = new Map<number, number>();
			for (const { automation_id: automation } of tables.automationSchedules.values()) {
				counts.set(automation, (counts.get(automation) ?? 0) + 1);
			}
			const rows = ordered(tables.automations, settings).map((automation) => ({
				...automation,
				automation_schedule_count: counts.get(automation.id) ?? 0,
			}));
			return success({ automations: rows });
		},
	}),
	endpoint({
		number: '45',
		method: 'POST',
		path: '/automations/create',
		body: {
			type: oneOf('welcome', 'custom'),
			automation_for: optional(recipient),
			// Listed as optional, but shown as refused when it is missing.
			automation_name: text(),
			unsubscribe_group_id: integer,
		},
		run: ({ type, automation_for: target, automation_name, unsubscribe_group_id }, context) => {
			const { tables, clock } = context;
			const failure = unknownReferences({
				automation_for: !target || recipientExists(tables, target),
				unsubscribe_group_id: !!tables.unsubscribeGroups.get(unsubscribe_group_id),
			});
			if (failure) return failure;
			const automation = tables.automations.add(
				{
					automation_type: AUTOMATION_TYPE[type],
					automation_name,
					unsubscribe_group_id: String(unsubscribe_group_id),
					...(target
						? { automation_for: Number(target.id), automation_for_table: target.table }
						: {}),
				},
				clock.now(),
			);
			return success({ utr: automation.utr });
		},
	}),
	endpoint({
		number: '46',
		method: 'GET',
		path: '/automations/duplicate',
		query: { utr },
		run: (input, context) => {
			const automation = context.tables.automations.byUtr(input.utr);
			if (!automation) return notFound('Record Not Found');
			return success({ utr: copy(context, automation).utr });
		},
	}),
	endpoint({
		number: '47',
		method: 'GET',
		path: '/automations/details',
		query: { utr },
		run: (input, { tables }) => {
			const automation = tables.automations.byUtr(input.utr);
			return automation ? success({ automation }) : notFound('Record Not Found');
		},
	}),
	endpoint({
		number: '48',
		method: 'GET',
		path: '/automations/pause',
		query: { utr },
		run: (input, { tables, clock, settings }) => {
			const automation = tables.automations.byUtr(input.utr);
			// That only live ones may be paused is said, not how another is refused.
			if (automation?.status !== LIVE) return notFound('Record not found');
			update(tables.automations, automation, { status: settings.pauseStatus }, clock.now());
			return success('Automation Paused Successfully');
		},
	}),
	endpoint({
		number: '49',
		method: 'GET',
		path: '/automations/set-live',
		query: { utr },
		run: (input, { tables, clock, settings }) => {
			const automation = tables.automations.byUtr(input.utr);
			if (!automation) return notFound('Record Not Found');
			if (automation.unsubscribe_group_id === '') {
				return refused('Unsubscribe group require to live automation');
			}
			if (automation.status !== LIVE) {
				const isForAll = automation.automation_for === 0 && settings.noAudience === 'everybody';
				const live = {
					status: LIVE,
					live_at: dateTime(clock.now()),
					...(isForAll && { total_triggered: tables.contacts.all().length }),
				};
				update(tables.automations, automation, live, clock.now());
			}
			return success('Automation has been set live');
		},
	}),
	endpoint({
		number: '49a',
		method: 'DELETE',
		path: '/automations/delete',
		query: { utr },
		run: (input, context) => {
			const automation = context.tables.automations.byUtr(input.utr);
			if (!automation) return notFound('Record not found');
			removeAutomation(context, automation);
			return success('Deleted Successfully');
		},
	}),
	endpoint({
		number: '49b',
		method: 'POST',
		path: '/automations/bulk-delete',
		body: { strIds: references },
		urlencoded: true,
		run: ({ strIds }, context) => {
			const { tables, settings } = context;
			const rows = strIds.map((entry) => byReference(tables.automations, entry, settings));
			return (
				deleteMany(rows, settings, 'Record not found', (row) => removeAutomation(context, row)) ??
				success('Deleted Successfully')
			);
		},
	}),
];
