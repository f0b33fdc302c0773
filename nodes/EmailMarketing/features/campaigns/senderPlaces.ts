import { fetchLocations } from '../../service/lists';
import type { Locations } from '../../service/lists';
import { ServiceError } from '../../service/failure';
import type { Fields } from '../../service/form';
import { readPlaces } from '../locations/chosenPlaces';
import type { Place, PlaceKind } from '../locations/chosenPlaces';
import type { Draft } from '../../run/operation';
import type { Adjust } from '../../run/mergeCurrent';
import { InvalidInput } from '../../params/invalidInput';
import { coerceText } from '../../util/coerce';
import { sanitize } from '../../util/text';

interface Level {
	field: string;
	kind: PlaceKind;
	label: string;
}

const country: Level = { field: 'country_id', kind: 'countries', label: 'Country' };
const state: Level = { field: 'state_id', kind: 'states', label: 'State' };
const city: Level = { field: 'city_id', kind: 'cities', label: 'City' };

/** Each place, and what it must be within. */
const pairs: ReadonlyArray<readonly [child: Level, parent: Level]> = [
	[state, country],
	[city, state],
	[city, country],
];

type Lookup = (kind: PlaceKind) => Map<string, Place>;

/**
 * Refuses a state of another country than the chosen one, and a city of another state. What the update of a sender keeps
 * must not be left behind by a new country or state either: it is refused or cleared, as the option says. Where the
 * lookup (50) does not say what a place belongs to, it is taken as it is.
 *
 * @throws InvalidInput
 */
export const adjustPlaces: Adjust = async (draft, kept, record) => {
	const { body, item } = draft;
	const value = (field: string) => coerceText(body[field] ?? kept[field]);
	const isNew = ({ field }: Level) =>
		body[field] !== undefined && coerceText(body[field]) !== coerceText(record?.[field]);
	const open = pairs.filter(
		([child, parent]) =>
			value(child.field) !== '' &&
			value(parent.field) !== '' &&
			(body[child.field] !== undefined || isNew(parent)),
	);
	if (open.length === 0) return;
	const lookup = await readLookup(draft);
	const changes: string[] = [];
	const stays: string[] = [];
	for (const [child, parent] of open) {
		const fits = isWithin(lookup, child, value(child.field), parent, value(parent.field));
		if (fits === true || value(child.field) === '') continue;
		if (body[child.field] !== undefined) {
			if (fits === undefined) continue;
			throw new InvalidInput(
				'place-mismatch',
				`"${child.label}" ${nameOf(lookup, child, value(child.field))} is not in "${parent.label}" ${nameOf(lookup, parent, value(parent.field))}`,
				`Choose "${child.label}" from the list again, or correct "${parent.label}".`,
			);
		}
		if (item.param('options.ifOtherCountry', 'fail') === 'clear') {
			kept[child.field] = '';
			continue;
		}
		changes.push(`"${parent.label}" changes to ${nameOf(lookup, parent, value(parent.field))}`);
		stays.push(`"${child.label}" would stay ${nameOf(lookup, child, value(child.field))}`);
	}
	if (stays.length === 0) return;
	throw new InvalidInput(
		'place-outdated',
		`${listed(changes)}, but ${listed(stays)}`,
		'Add "State" and "City" to "Update Fields", or set "If State or City No Longer Matches" in Options to "Clear".',
	);
};

const listed = (texts: string[]): string => [...new Set(texts)].join(' and ');

/** Without the lookup nothing is known about what belongs to what. */
async function readLookup({ run, client }: Draft): Promise<Lookup> {
	const nothing: Locations = { countries: [], states: [], cities: [] };
	const locations = await run.memoize(
		'places',
		async () =>
			await fetchLocations(client).catch((error: unknown) => {
				if (error instanceof ServiceError) return nothing;
				throw error;
			}),
	);
	return (kind) =>
		run.memoize(kind, () => new Map(readPlaces(locations, kind).map((place) => [place.id, place])));
}

/** @returns undefined where it is not known */
function isWithin(
	lookup: Lookup,
	child: Level,
	id: string,
	parent: Level,
	parentId: string,
): boolean | undefined {
	const within = lookup(child.kind).get(id)?.within;
	const above = child === city && parent === country ? within?.within : within;
	return above && above.id === parentId;
}

function nameOf(lookup: Lookup, { kind }: Level, id: string): string {
	const place = lookup(kind).get(id);
	return place ? `${sanitize(place.name, 60)} (ID ${id})` : `ID ${id}`;
}

/** Checks the places of a new sender. */
export async function checkPlaces(draft: Draft): Promise<void> {
	const kept: Fields = {};
	await adjustPlaces(draft, kept, undefined);
}
