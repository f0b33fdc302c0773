import { endpoints } from '../../service/endpoints';
import { InvalidInput } from '../../params/invalidInput';
import type { DraftStep } from '../../run/operation';
import { coerceText } from '../../util/coerce';
import { quote } from '../../util/text';

const nameOf = (value: unknown): string => coerceText(value).trim().toLowerCase();

/** A custom field cannot have the name of a reserved field (33). */
export const refuseReservedName: DraftStep = async (draft) => {
	const { run, body } = draft;
	const reserved = await run.cachedList(draft, endpoints.customField.getReserved);
	if (!reserved.some(({ field_name: name }) => nameOf(name) === nameOf(body.field_name))) return;
	throw new InvalidInput(
		'name-reserved',
		`"Field Name" is the name of a reserved field: ${quote(body.field_name)}`,
		'Choose another name. Custom Field > Get Many Reserved lists the reserved fields.',
	);
};
