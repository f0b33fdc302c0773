import type { IDataObject } from 'n8n-workflow';

import { NOW, sender } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

/** Bavaria and one of its cities; Karnataka and one of its cities. */
let germany: { state: number; city: number };
let india: { state: number; city: number };

beforeAll(async () => {
	const response = await fetch(`${test.service.baseUrl}/get/country-state-city`, {
		headers: { PublicKey: 'sandbox-public-key', SecretKey: 'sandbox-secret-key' },
	});
	const { message } = (await response.json()) as {
		message: Record<'states' | 'cities', Array<Record<string, number | string>>>;
	};
	const placesIn = (country: number) => {
		const state = Number(message.states.find(({ country_id }) => country_id === country)?.id);
		const city = Number(message.cities.find(({ state_id }) => state_id === state)?.id);
		return { state, city };
	};
	[germany, india] = [placesIn(85), placesIn(104)];
});

beforeEach(() => {
	const places = { state_id: germany.state, city_id: germany.city };
	const { senders } = test.service.state.tables;
	senders.add({ ...sender, ...places }, NOW);
});

const update = async (updateFields: IDataObject, options: IDataObject = {}) =>
	await test.service.run({
		resource: 'sender',
		operation: 'update',
		senderId: chosen(sender.id),
		updateFields,
		options,
	});

const isSent = () => test.service.calls().includes('POST /sender/update');

it('refuses a new country that leaves the state and the city behind', async () => {
	const { error } = await update({ countryId: chosen('104') });
	expect(error?.message).toMatch(
		/^"Country" changes to India \(ID 104\), but "State" would stay .+ \(ID \d+\) and "City" would stay .+ \(ID \d+\)$/,
	);
	expect(isSent()).toBe(false);
});

it('clears what is left behind, by choice', async () => {
	const { error } = await update({ countryId: chosen('104') }, { ifOtherCountry: 'clear' });
	expect(error).toBeUndefined();
	expect(test.service.sent().at(-1)?.body).toMatchObject({
		country_id: '104',
		state_id: '',
		city_id: '',
	});
});

it('refuses a new state that leaves the city behind', async () => {
	const { error } = await update({ stateId: chosen(germany.state + 1) });
	expect(error?.message).toMatch(/^"State" changes to .+, but "City" would stay /);
	expect(isSent()).toBe(false);
});

it.each([
	['the country that it has', () => ({ countryId: chosen('85') }), false],
	['another field', () => ({ zipCode: '1' }), false],
	[
		'all three',
		() => ({
			countryId: chosen('104'),
			stateId: chosen(india.state),
			cityId: chosen(india.city),
		}),
		true,
	],
])('takes %s', async (_what, fields, isLookedUp) => {
	expect((await update(fields())).error).toBeUndefined();
	expect(test.service.calls().includes('GET /get/country-state-city')).toBe(isLookedUp);
	expect(test.service.violations()).toEqual([]);
});

it('refuses a state of another country, also for a new sender', async () => {
	const { error } = await update({ stateId: chosen(india.state) });
	expect(error?.message).toMatch(/^"State" .+ \(ID \d+\) is not in "Country" Germany \(ID 85\)/);
	const created = await test.service.run({
		resource: 'sender',
		operation: 'create',
		fromName: 'A',
		fromEmail: 'a@example.com',
		replyToEmail: 'a@example.com',
		nickname: 'A',
		companyAddress: 'A',
		countryId: chosen('85'),
		stateId: chosen(germany.state),
		cityId: chosen(india.city),
	});
	expect(created.error?.message).toMatch(/^"City" .+ is not in "State" /);
	expect(test.service.calls().filter((call) => call.startsWith('POST'))).toEqual([]);
});

describe('where nothing is known of what belongs to what', () => {
	beforeEach(() =>
		test.service.fault({
			kind: 'shape',
			match: { path: '/get/country-state-city' },
			body: { status: 'success', message: { countries: [], states: [], cities: [] } },
		}),
	);

	it('takes the places that are given', async () => {
		const fields = { countryId: chosen('104'), stateId: chosen(india.state) };
		expect((await update({ ...fields, cityId: chosen(india.city) })).error).toBeUndefined();
	});

	it('does not keep a state with a new country', async () => {
		expect((await update({ countryId: chosen('104') })).error?.message).toBe(
			`"Country" changes to ID 104, but "State" would stay ID ${germany.state} and "City" would stay ID ${germany.city}`,
		);
	});
});
