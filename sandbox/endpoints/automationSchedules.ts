import { endpoint, unknownReferences, type Conflict } from '../endpoint.ts';
import { listOf, ordered } from '../lists.ts';
import { integer, json, mayBeEmpty, oneOf, optional, text } from '../params.ts';
import { notFound, success } from '../replies.ts';
import { refuseMissingForm, twoTemplates } from './shared.ts';

const utr = text();

/** "Keep 1 for an instant email": what else days and hours may be is not shown. */
const notInstant = (fields: { waiting_type: string; waiting_period: number }): Conflict | null =>
	fields.waiting_type === 'instantly' && fields.waiting_period !== 1
		? {
				field: 'waiting_period',
				words: 'The waiting period must be 1 for an instant email.',
				rule: 'instant-period',
			}
		: null;

export const automationSchedules = [
	endpoint({
		number: '49c',
		method: 'GET',
		path: '/automations/schedule',
		query: { utr },
		run: (input, { tables, settings }) => {
			const automation = tables.automations.byUtr(input.utr);
			if (!automation) return notFound('Record not found');
			const rows = ordered(tables.automationSchedules, settings);
			return listOf(
				'automation_schedules',
				rows.filter((row) => row.automation_id === automation.id),
			);
		},
	}),
	endpoint({
		number: '49d',
		method: 'POST',
		path: '/automations/schedule/create',
		body: {
			utr,
			sender_id: integer,
			subject: text(),
			waiting_period: integer,
			waiting_type: oneOf('instantly', 'days', 'hours'),
			template_id: integer,
			preview_img: text(),
			template_json: mayBeEmpty(optional(json)),
			template_html: mayBeEmpty(optional(text())),
		},
		conflict: (fields) => twoTemplates(fields) ?? notInstant(fields),
		run: ({ utr: wanted, template_json: asJson, template_html: asHtml, ...fields }, context) => {
			const { tables, clock, settings } = context;
			const automation = tables.automations.byUtr(wanted);
			if (!automation) return notFound('Record not found');
			const template = tables.templates.get(fields.template_id);
			const failure = unknownReferences({
				sender_id: !!tables.senders.get(fields.sender_id),
				template_id: !!template,
			});
			if (failure) return failure;
			const missing = refuseMissingForm({ template_json: asJson, template_html: asHtml }, settings);
			if (missing) return missing;
			const custom = !!asJson || !!asHtml;
			tables.automationSchedules.add(
				{
					...fields,
					automation_id: automation.id,
					template_json: (custom ? asJson : template?.json_code) ?? '',
					template_html: (custom ? asHtml : template?.html_code) ?? '',
					image: `https://design.example.com/preview/${encodeURIComponent(fields.preview_img)}`,
				},
				clock.now(),
			);
			return success('Schedule Added');
		},
	}),
	endpoint({
		number: '49e',
		method: 'DELETE',
		path: '/automations/schedule/delete',
		query: { utr },
		run: (input, { tables }) => {
			const schedule = tables.automationSchedules.byUtr(input.utr);
			if (!schedule) return notFound('Record not found');
			tables.automationSchedules.remove(schedule.id);
			return success('Deleted Successfully');
		},
	}),
];
