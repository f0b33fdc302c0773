import type { Adjust } from '../../run/mergeCurrent';
import { InvalidInput } from '../../params/invalidInput';
import { coerceText } from '../../util/coerce';
import { labelOf } from '../../util/labels';

/** Each place lies within the one before it. */
const places = ['country_id', 'state_id', 'city_id'];

const namesOf = (fields: readonly string[]): string =>
	fields.map((field) => `"${labelOf(field)}"`).join(' and ');

/**
 * A sender with a new country must not keep its old state or city, nor one with a new state its old city.
 *
 * @throws InvalidInput
 */
export const refuseOldPlaces: Adjust = async ({ body }, kept, record) => {
	const isNew = (field: string) =>
		body[field] !== undefined && coerceText(body[field]) !== coerceText(record?.[field]);
	const first = places.findIndex(isNew);
	const stays = places.filter((field, level) => level > first && kept[field] !== undefined);
	if (first === -1 || stays.length === 0) return;
	throw new InvalidInput(
		'place-outdated',
		`"${labelOf(places[first] ?? '')}" changes, but ${namesOf(stays)} would stay as before`,
		`Add ${namesOf(stays)} to "Update Fields", or choose what no longer applies in "Fields to Clear" in Options.`,
	);
};
