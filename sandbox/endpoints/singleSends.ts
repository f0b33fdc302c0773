import {
	deleteMany,
	endpoint,
	stamps,
	unknownReferences,
	update,
	type Context,
} from '../endpoint.ts';
import { NO_DATE, NO_TIME } from '../format.ts';
import { blanks } from '../blanks.ts';
import { listOf, ordered } from '../lists.ts';
import type { SingleSend } from '../model.ts';
import {
	date,
	flag,
	integer,
	json,
	mayBeEmpty,
	optional,
	recipients,
	references,
	text,
	time,
	type Input,
} from '../params.ts';
import { invalid, notFound, success, type Reply } from '../replies.ts';
import type { Settings } from '../settings.ts';
import { COMPLETED, INITIATE } from '../singleSendRun.ts';
import {
	byReference,
	customOfAnother,
	recipientExists,
	refuseMissingForm,
	twoTemplates,
} from './shared.ts';

const utr = text();

const sendFields = {
	template_id: integer,
	template_json: mayBeEmpty(optional(json)),
	template_html: mayBeEmpty(optional(text())),
	sender_id: integer,
	unsubscribe_group_id: integer,
	single_send_name: text(),
	subject: text(),
	preheader: text(),
	recipient_id: recipients,
	exclude_specific_recipient_id: optional(recipients),
	schedule_type: flag,
	schedule_date: optional(date),
	schedule_time: optional(time),
};

type SendFields = Input<typeof sendFields>;

function refuseSend(
	{ tables, settings }: Context,
	fields: SendFields,
	current?: SingleSend,
): Reply | null {
	const unknown = unknownReferences({
		template_id: !!tables.templates.get(fields.template_id),
		sender_id: !!tables.senders.get(fields.sender_id),
		unsubscribe_group_id: !!tables.unsubscribeGroups.get(fields.unsubscribe_group_id),
		recipient_id: fields.recipient_id.every((entry) => recipientExists(tables, entry)),
		exclude_specific_recipient_id: (fields.exclude_specific_recipient_id ?? []).every((entry) =>
			recipientExists(tables, entry),
		),
	});
	if (unknown) return unknown;
	const missing = refuseMissingForm(fields, settings);
	if (missing) return missing;
	if (fields.schedule_type === 1) {
		const { schedule_date, schedule_time } = scheduleOf(fields, current);
		if (schedule_date === NO_DATE) {
			return invalid({ schedule_date: ['The schedule date field is required.'] });
		}
		if (schedule_time === null) {
			return invalid({ schedule_time: ['The schedule time field is required.'] });
		}
	}
	return null;
}

/** A time is missing (null) when neither this call nor an earlier one scheduled the send. */
function scheduleOf(fields: SendFields, current?: SingleSend) {
	if (fields.schedule_type === 0) return { schedule_date: NO_DATE, schedule_time: NO_TIME };
	const before = current?.schedule_type === 1 ? current : undefined;
	const keep = <T>(sent: T | null | undefined, stored: T | undefined): T | null =>
		sent === undefined ? (stored ?? null) : sent;
	return {
		schedule_date: keep(fields.schedule_date, before?.schedule_date) ?? NO_DATE,
		schedule_time: keep(fields.schedule_time, before?.schedule_time),
	};
}

/** Null when the send goes by its built-in template: what was left out keeps what there was. */
function bodyOf(
	sent: string | null | undefined,
	before: string | null | undefined,
	{ emptyInUpdate }: Settings,
) {
	const isKept = sent === undefined || (sent === null && emptyInUpdate === 'keeps');
	return isKept ? (before ?? null) : sent;
}

/** A single send with the contents that #40 shows. */
function withContent(send: SingleSend, { settings, tables }: Context): SingleSend {
	const template = send.template_id === 1 ? undefined : tables.templates.get(send.template_id);
	if (settings.storedContent === 'rendered' && template) {
		return { ...send, template_json: template.json_code, template_html: template.html_code };
	}
	const template_json = settings.storedContent === 'placeholder' ? '{}' : null;
	return { ...send, template_json: send.template_json || template_json };
}

const conflict = (fields: SendFields) => twoTemplates(fields) ?? customOfAnother(fields);

function stored(
	{ tables, settings }: Context,
	fields: SendFields,
	current?: SingleSend,
): Partial<SingleSend> {
	const sender = tables.senders.get(fields.sender_id);
	const { schedule_date, schedule_time } = scheduleOf(fields, current);
	return {
		...fields,
		template_json: bodyOf(fields.template_json, current?.template_json, settings),
		template_html: bodyOf(fields.template_html, current?.template_html, settings),
		exclude_specific_recipient_id:
			fields.exclude_specific_recipient_id === undefined
				? (current?.exclude_specific_recipient_id ?? [])
				: (fields.exclude_specific_recipient_id ?? []),
		schedule_date,
		schedule_time: schedule_time ?? NO_TIME,
		from_sender: sender?.from_email ?? '',
		reply_to: sender?.reply_to_email ?? '',
		sender_name: sender?.from_name ?? null,
		sender_address: sender?.company_address ?? null,
	};
}

export const singleSends = [
	endpoint({
		number: '37',
		method: 'GET',
		path: '/single-send/list',
		run: (_input, { tables, settings }) =>
			listOf('singleSends', ordered(tables.singleSends, settings)),
	}),
	endpoint({
		number: '38',
		method: 'POST',
		path: '/single/send/create',
		body: sendFields,
		conflict,
		run: (fields, context) => {
			const failure = refuseSend(context, fields);
			if (failure) return failure;
			const { singleSends: sends } = context.tables;
			return success({ utr: sends.add(stored(context, fields), context.clock.now()).utr });
		},
	}),
	endpoint({
		number: '39',
		// Shown as POST, listed as GET.
		method: ['POST', 'GET'],
		path: '/single/send/duplicate',
		query: { utr },
		run: (input, { tables, clock, settings }) => {
			const send = tables.singleSends.byUtr(input.utr);
			if (!send) return notFound('Record not found');
			const atOnce = { schedule_type: 0, schedule_date: NO_DATE, schedule_time: NO_TIME } as const;
			const blank = blanks.singleSends(tables.singleSends.nextId, clock.now());
			tables.singleSends.put({
				...send,
				id: blank.id,
				utr: blank.utr,
				...stamps(clock.now()),
				...(settings.copies === 'atOnce' && atOnce),
				single_send_name: `${send.single_send_name} (copy)`,
				status: INITIATE,
				triggered: 0,
				delivered: 0,
				unique_opens: 0,
				total_opens: 0,
				bounces: 0,
				unsubscribes: 0,
				unique_open_token: {},
				sent_at: blank.sent_at,
			});
			return success('Duplicated Successfully');
		},
	}),
	endpoint({
		number: '40',
		method: 'GET',
		path: '/single-send/details',
		query: { utr },
		run: (input, context) => {
			const send = context.tables.singleSends.byUtr(input.utr);
			return send
				? success({ singleSend: [withContent(send, context)] })
				: notFound('Record not found');
		},
	}),
	endpoint({
		number: '41',
		method: 'POST',
		path: '/single/send/update',
		body: { utr, ...sendFields },
		clears: true,
		conflict,
		run: ({ utr: wanted, ...fields }, context) => {
			const { singleSends: sends } = context.tables;
			const send = sends.byUtr(wanted);
			if (!send) return notFound('Record not found');
			const failure = refuseSend(context, fields, send);
			if (failure) return failure;
			const isSentAgain =
				send.status === COMPLETED && context.settings.updatesOfCompleted === 'sent';
			const changed = {
				...stored(context, fields, send),
				...(isSentAgain && { status: INITIATE }),
			};
			update(sends, send, changed, context.clock.now());
			return success({ utr: send.utr });
		},
	}),
	endpoint({
		number: '42',
		method: 'DELETE',
		path: '/single/send/delete',
		query: { utr },
		run: (input, { tables }) => {
			const send = tables.singleSends.byUtr(input.utr);
			if (!send) return notFound('Record not found');
			tables.singleSends.remove(send.id);
			return success('Deleted Successfully');
		},
	}),
	endpoint({
		number: '43',
		method: 'POST',
		path: '/single/send/bulk-delete',
		body: { strIds: references },
		urlencoded: true,
		run: ({ strIds }, { tables, settings }) => {
			const rows = strIds.map((entry) => byReference(tables.singleSends, entry, settings));
			return (
				deleteMany(rows, settings, 'Record not found', ({ id }) => tables.singleSends.remove(id)) ??
				success('Deleted Successfully')
			);
		},
	}),
];
