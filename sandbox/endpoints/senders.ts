import { cityWithId, countryWithId, stateWithId } from '../data/locations.ts';
import { endpoint, unknownReferences, update, type Context } from '../endpoint.ts';
import { dateTime } from '../format.ts';
import { listOf, ordered } from '../lists.ts';
import type { Sender } from '../model.ts';
import { email, integer, optional, text, type Input } from '../params.ts';
import { notFound, success, successUnderErrors, type Reply } from '../replies.ts';

const senderFields = {
	from_name: text(),
	from_email: email,
	reply_to_email: email,
	country_id: integer,
	state_id: optional(integer),
	city_id: optional(integer),
	zip_code: optional(text()),
	company_address: text({ max: 255 }),
	company_address2: optional(text({ max: 255 })),
	nickname: text(),
};

type SenderFields = Input<typeof senderFields>;

function refusePlace({ country_id, state_id, city_id }: SenderFields): Reply | null {
	const state = state_id == null ? undefined : stateWithId(state_id);
	const city = city_id == null ? undefined : cityWithId(city_id);
	return unknownReferences({
		country_id: !!countryWithId(country_id),
		state_id: state_id == null || state?.country_id === country_id,
		city_id: city_id == null || (!!city && (state_id == null || city.state_id === state_id)),
	});
}

/** Blank clears: texts to an empty one, ids to 0. */
const stored = (fields: SenderFields): Partial<Sender> => {
	const { state_id, city_id, zip_code, company_address2, ...given } = fields;
	const row: Partial<Sender> = given;
	if (state_id !== undefined) row.state_id = state_id ?? 0;
	if (city_id !== undefined) row.city_id = city_id ?? 0;
	if (zip_code !== undefined) row.zip_code = zip_code ?? '';
	if (company_address2 !== undefined) row.company_address2 = company_address2 ?? '';
	return row;
};

function sendVerification({ tables, clock, verificationMails }: Context, sender: Sender): void {
	verificationMails.set(sender.id, clock.now());
	tables.senders.change(sender, { send_at: dateTime(clock.now()) });
}

export const senders = [
	endpoint({
		number: '51',
		// Listed as POST, shown as GET.
		method: ['GET', 'POST'],
		path: '/senders',
		run: (_input, { tables, settings }) => listOf('senders', ordered(tables.senders, settings)),
	}),
	endpoint({
		number: '52',
		method: 'POST',
		path: '/sender/save',
		body: senderFields,
		run: (fields, context) => {
			const failure = refusePlace(fields);
			if (failure) return failure;
			sendVerification(context, context.tables.senders.add(stored(fields), context.clock.now()));
			return success('Added Successfully');
		},
	}),
	endpoint({
		number: '53',
		method: 'GET',
		path: '/sender/details',
		query: { sender_id: integer },
		run: ({ sender_id }, { tables }) => {
			const sender = tables.senders.get(sender_id);
			return sender ? success({ sender }) : notFound('Record Not Found');
		},
	}),
	endpoint({
		number: '54',
		method: 'POST',
		path: '/sender/update',
		body: { sender_id: integer, ...senderFields },
		clears: true,
		run: ({ sender_id, ...fields }, { tables, clock }) => {
			const sender = tables.senders.get(sender_id);
			if (!sender) return notFound('Record Not Found');
			const failure = refusePlace(fields);
			if (failure) return failure;
			update(tables.senders, sender, stored(fields), clock.now());
			return success('Updated Successfully');
		},
	}),
	endpoint({
		number: '55',
		method: 'DELETE',
		path: '/sender/delete',
		query: { sender_id: integer },
		run: ({ sender_id }, { tables }) => {
			if (!tables.senders.get(sender_id)) return notFound('Record Not Found');
			tables.senders.remove(sender_id);
			return successUnderErrors('Deleted Successfully');
		},
	}),
	endpoint({
		number: '56',
		method: 'GET',
		path: '/sender/resend-mail',
		query: { sender_id: integer },
		run: ({ sender_id }, context) => {
			const sender = context.tables.senders.get(sender_id);
			if (!sender) return notFound('Record Not Found');
			sendVerification(context, sender);
			return success('Verification Mail Send');
		},
	}),
];
