import {
	cityWithId,
	countryWithId,
	stateWithId,
	type City,
	type State,
} from '../data/locations.ts';
import { endpoint, unknownReferences, update, type Context } from '../endpoint.ts';
import { dateTime } from '../format.ts';
import { listOf, ordered } from '../lists.ts';
import type { Sender } from '../model.ts';
import { email, integer, optional, text, type Input } from '../params.ts';
import { notFound, success, successUnderErrors, type Reply } from '../replies.ts';
import type { Settings } from '../settings.ts';

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

/** Sent empty, it is cleared: texts to an empty one, ids to 0. */
const stored = (fields: SenderFields): Partial<Sender> => {
	const { state_id, city_id, zip_code, company_address2, ...given } = fields;
	const row: Partial<Sender> = given;
	if (state_id !== undefined) row.state_id = state_id ?? 0;
	if (city_id !== undefined) row.city_id = city_id ?? 0;
	if (zip_code !== undefined) row.zip_code = zip_code ?? '';
	if (company_address2 !== undefined) row.company_address2 = company_address2 ?? '';
	return row;
};

const inCountry = (state: State | undefined, country: number): boolean =>
	state === undefined || state.country_id === country;

const inState = (city: City | undefined, state: number, country: number): boolean =>
	city === undefined ||
	(state === 0 ? inCountry(stateWithId(city.state_id), country) : city.state_id === state);

/**
 * Ids are from #50. Whether a state must lie in the country, and a city in the state, is not shown;
 * where it must, what an update leaves out counts too.
 */
function refusePlace(
	{ locationMatch }: Settings,
	sent: SenderFields,
	current?: Sender,
): Reply | null {
	const { country_id = 0, state_id = 0, city_id = 0 } = { ...current, ...stored(sent) };
	const state = stateWithId(state_id);
	const city = cityWithId(city_id);
	const nested = locationMatch === 'nested';
	return unknownReferences({
		country_id: !!countryWithId(sent.country_id),
		state_id: (sent.state_id == null || !!state) && (!nested || inCountry(state, country_id)),
		city_id: (sent.city_id == null || !!city) && (!nested || inState(city, state_id, country_id)),
	});
}

function sendVerification({ tables, clock, verificationMails }: Context, sender: Sender): void {
	verificationMails.set(sender.id, clock.now());
	tables.senders.change(sender, { send_at: dateTime(clock.now()) });
}

export const senders = [
	endpoint({
		number: '51',
		// Shown as GET, listed as POST.
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
			const failure = refusePlace(context.settings, fields);
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
		run: ({ sender_id, ...fields }, { tables, clock, settings }) => {
			const sender = tables.senders.get(sender_id);
			if (!sender) return notFound('Record Not Found');
			const failure = refusePlace(settings, fields, sender);
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
