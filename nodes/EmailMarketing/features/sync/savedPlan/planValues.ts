import { coerceText, isEmpty, isObject } from '../../../util/coerce';
import { quote, sanitize } from '../../../util/text';
import { toText } from '../../../util/values';
import type { FieldProblem } from '../../contacts/changes';
import { FIELD_LABELS, TEXT_FIELDS, type ContactField } from '../../contacts/fields';
import type { PlanCountry, PlanValues, RowSnapshot } from './planSnapshot';

const KNOWN: ReadonlySet<string> = new Set([...TEXT_FIELDS, 'email', 'country']);

const code = 'plan-row-damaged';

const planProblem = (problem: string): FieldProblem => ({ code, field: '"plan"', problem });
const fieldProblem = (field: ContactField, problem: string): FieldProblem => ({
	code,
	field: FIELD_LABELS[field],
	problem: `${problem} (in "plan")`,
});

function readCountry(value: unknown): PlanCountry | FieldProblem {
	if (!isObject(value)) return fieldProblem('country', `is ${quote(value)}`);
	const id = coerceText(value.id);
	if (!isEmpty(value.id) && !/^\d{1,15}$/.test(id)) {
		return fieldProblem('country', `has the ID ${quote(value.id)}`);
	}
	const name = isEmpty(value.name) ? '' : toText(value.name);
	if (typeof name !== 'string') return fieldProblem('country', name.problem);
	return { ...(id !== '' && { id }), ...('name' in value && { name }) };
}

/** @param key `write` or `seen` */
function readValues(value: unknown, key: string): PlanValues | FieldProblem {
	if (!isObject(value)) return planProblem(`has no valid "${key}"`);
	const unknown = Object.keys(value).find((field) => !KNOWN.has(field));
	if (unknown !== undefined) {
		return planProblem(`contains a field that contacts do not have: ${sanitize(unknown, 60)}`);
	}
	const values: PlanValues = {};
	for (const field of [...TEXT_FIELDS, 'email'] as const) {
		const given = value[field];
		if (given === undefined) continue;
		const text = toText(given);
		if (typeof text !== 'string') return fieldProblem(field, text.problem);
		// Outer spaces that a contact has are part of its values.
		values[field] = typeof given === 'string' ? given : text;
	}
	if (value.country === undefined) return values;
	const country = readCountry(value.country);
	return 'problem' in country ? country : { ...values, country };
}

/** An update without a value that the contact has could clear it (23). */
function missingIn(write: PlanValues, seen?: PlanValues): FieldProblem | undefined {
	if (write.country?.id === undefined) return fieldProblem('country', 'has no ID');
	const missing = TEXT_FIELDS.find(
		(field) => write[field] === undefined && (seen?.[field] ?? '').trim() !== '',
	);
	return missing && fieldProblem(missing, 'is missing under "write"');
}

/**
 * Reads the column `plan` of a row of a dry run.
 *
 * @param needs which of its parts the row needs
 */
export function readRowSnapshot(
	value: unknown,
	needs: { write: boolean; seen: boolean },
): RowSnapshot | FieldProblem {
	if (!isObject(value)) return planProblem(`is ${quote(value)}`);
	const plan: RowSnapshot = {};
	for (const key of ['write', 'seen'] as const) {
		if (!needs[key]) continue;
		const values = readValues(value[key], key);
		if ('problem' in values) return values;
		plan[key] = values;
	}
	if (plan.write?.email !== undefined) {
		return planProblem('contains a second email under "write"');
	}
	const missing = plan.write && missingIn(plan.write, plan.seen);
	if (missing) return missing;
	return isEmpty(value.limit) ? plan : { ...plan, limit: coerceText(value.limit) || 'unknown' };
}
