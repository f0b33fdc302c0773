import type { IDataObject } from 'n8n-workflow';

import { NOW, sender } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService({ locationMatch: 'any' });

interface Places {
	state: string;
	city: string;
	otherCity: string;
}
let germany: Places;
let india: Places;

beforeAll(async () => {
	const response = await fetch(`${test.service.baseUrl}/get/country-state-city`, {
		headers: { PublicKey: 'sandbox-public-key', SecretKey: 'sandbox-secret-key' },
	});
	const { message } = (await response.json()) as {
		message: Record<'states' | 'cities', Array<Record<string, number | string>>>;
	};
	const placesIn = (country: number): Places => {
		const state = message.states.find(({ country_id }) => country_id === country)?.id ?? '';
		const [city, other] = message.cities.filter(({ state_id }) => state_id === state);
		return { state: String(state), city: String(city?.id), otherCity: String(other?.id) };
	};
	[germany, india] = [placesIn(85), placesIn(104)];
});

beforeEach(() => {
	const places = { country_id: 85, state_id: Number(germany.state), city_id: Number(germany.city) };
	test.service.state.tables.senders.add({ ...sender, ...places }, NOW);
});

const update = async (updateFields: IDataObject, options: IDataObject = {}) =>
	await test.service.run({
		...{ resource: 'sender', operation: 'update', senderId: chosen(sender.id) },
		...{ updateFields, options },
	});

it.each<[string, () => [fields: IDataObject, body: IDataObject, options?: IDataObject]]>([
	[
		'the country that it has',
		() => [{ countryId: chosen('85') }, { country_id: '85', city_id: germany.city }],
	],
	['another field', () => [{ zipCode: '1' }, { state_id: germany.state, city_id: germany.city }]],
	[
		'another country',
		() => [
			{ countryId: chosen('104') },
			{ country_id: '104', state_id: germany.state, city_id: germany.city },
		],
	],
	[
		'another city',
		() => [
			{ cityId: chosen(germany.otherCity) },
			{ state_id: germany.state, city_id: germany.otherCity },
		],
	],
	[
		'all three',
		() => [
			{ countryId: chosen('104'), stateId: chosen(india.state), cityId: chosen(india.city) },
			{ country_id: '104', state_id: india.state, city_id: india.city },
		],
	],
	[
		'a new country without what no longer applies',
		() => [
			{ countryId: chosen('104') },
			{ country_id: '104', state_id: '', city_id: '' },
			{ clearFields: ['state_id', 'city_id'] },
		],
	],
])('sends %s with what the sender keeps', async (_what, given) => {
	const [fields, body, options] = given();
	expect((await update(fields, options)).error).toBeUndefined();
	const request = test.service.sent().find(({ path }) => path === '/sender/update');
	expect(request?.body).toMatchObject(body);
});

it('shows what the service says of places that are not in the new country', async () => {
	test.service.state.settings.locationMatch = 'nested';
	const { error } = await update({ countryId: chosen('104') });
	expect([error?.message, error?.description]).toEqual([
		'The service rejected "State": The selected state id is invalid.',
		'Correct this field and run again. Nothing was changed.',
	]);
});
