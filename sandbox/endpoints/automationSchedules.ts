import { endpoint, unknownReferences } from '../endpoint.ts';
import { listOf, ordered } from '../lists.ts';
import { integer, json, mayBeBlank, oneOf, optional, text } from '../params.ts';
import { notFound, success } from '../replies.ts';

const utr = text();

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
			template_json: mayBeBlank(optional(json)),
			template_html: mayBeBlank(optional(text())),
		},
		run: ({ utr: wanted, template_json: asJson, template_html: asHtml, ...fields }, context) => {
			const { tables, clock } = context;
			const automation = tables.automations.byUtr(wanted);
			if (!automation) return notFound('Record not found');
			const template = tables.templates.get(fields.template_id);
			const failure = unknownReferences({
				sender_id: !!tables.senders.get(fields.sender_id),
				template_id: !!template,
			});
			if (failure) return failure;
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
