import { quote } from '../../../util/text';
import { coerceText, isEmpty, toText } from '../../../util/coerce';
import { presetProblem, type FieldProblem } from '../../contacts/changes';
import type { Country } from '../../locations/country';
import { FIELD_LABELS } from '../../contacts/fields';
import type { ListedContact } from '../../contacts/types';
import type { PlanInput } from '../types';

/** The current country of a contact, and the country that an update sends. */
interface ResolvedCountry {
	current?: Country;
	next: Country;
	/** Whether the list does not show whether they differ. */
	isUncompared: boolean;
}

/** The service may have 0 where none was chosen. */
const isNone = (country: unknown): boolean =>
	isEmpty(country) || coerceText(country).trim() === '0';

/**
 * Finds the country ID of an existing contact: every update requires the ID (23), but the list shows a name (18).
 *
 * @param wanted the country from the input, if it has one
 * @param remedy advice without a full stop, because the message may continue it with an option
 */
export function countryOf(
	contact: ListedContact,
	wanted: Country | undefined,
	{ countries, options: { defaultCountry = '' } }: Pick<PlanInput, 'countries' | 'options'>,
	remedy: string,
): ResolvedCountry | FieldProblem {
	const shown = isNone(contact.country) ? '' : toText(contact.country);
	const listed = typeof shown === 'string' && shown !== '' ? countries.find(shown) : undefined;
	const isId = typeof shown === 'string' && /^\d+$/.test(shown);
	const current = listed && 'id' in listed ? listed : isId ? { id: shown } : undefined;
	const preset = shown === '' && defaultCountry !== '' ? countries.find(defaultCountry) : undefined;
	const isWrong = preset !== undefined && 'problem' in preset;
	if (!wanted && isWrong) return presetProblem(preset.problem, defaultCountry);
	const next = wanted ?? current ?? (isWrong ? undefined : preset);
	const unresolved = listed && 'problem' in listed ? listed : undefined;
	if (next) {
		const isUnreadable = unresolved?.code === 'country-list-unreadable';
		const isUncompared = isUnreadable || unresolved?.ids?.includes(next.id) === true;
		return { current, next, isUncompared };
	}
	return unresolved?.code === 'country-ambiguous'
		? { ...unresolved, field: FIELD_LABELS.country, value: coerceText(contact.country) }
		: noCountry(contact, remedy);
}

function noCountry({ country }: ListedContact, remedy: string): FieldProblem {
	const field = FIELD_LABELS.country;
	if (isNone(country)) {
		const problem = `is missing: the contact has none, but the service requires one. ${remedy}, or choose a "Country for New Contacts"`;
		return { code: 'contact-without-country', field, problem };
	}
	const problem = `${quote(country)} of the contact is not in the country list of the service. ${remedy}`;
	return {
		...{ code: 'contact-country-unknown', field, problem },
		value: coerceText(country) || undefined,
	};
}
