import type { Adjust } from '../../run/mergeCurrent';
import { InvalidInput } from '../../params/invalidInput';
import { coerceText } from '../../util/coerce';
import { labelOf } from '../../util/labels';

/** Each place is within those before it. */
const places = ['country_id', 'state_id', 'city_id'];

const namesOf = (fields: readonly string[]): string =>
	fields.map((field) => `"${labelOf(field)}"`).join(' and ');

/**
 * The update of a sender keeps no state beside a new country, and no city beside a new country or state: it would be
 * that of another place.
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
