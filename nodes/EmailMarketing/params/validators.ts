import type { ErrorCode } from '../service/errorCode';
import type { FormValue } from '../service/form';
import type { RecordKind } from '../records/recordKind';
import { allSpellingsToSend, clearAddress, knownAddress, storedAddress } from '../util/addressesIn';
import { isEmpty, isId, isUtr, coerceText } from '../util/coerce';
import { ADDRESS_FORM } from '../util/email';
import { quote, truncateList } from '../util/text';
import { targetNames } from './currentValue';
import { choiceOf, choiceParam, emptyExpression, mayBeEmpty } from './givenOption';
import { InvalidInput, valueRequired } from './invalidInput';
import type { Item } from './item';
import {
	asText,
	entriesOf,
	isBlank,
	isExpression,
	isTarget,
	listOf,
	locatorValue,
	toFlag,
	wholeNumber,
} from './values';

/** How one value of the editor becomes one field of a request. */
export interface Input {
	/**
	 * Path of the node parameter, such as `subject` or `updateFields.subject`; empty if the operation itself provides the
	 * value.
	 */
	parameter: string;
	/** Label in the editor, if it differs from the usual label of the API field. */
	label?: string;
	required?: boolean;
	/** The value that clears the field, '' by default; false if it cannot be cleared. */
	cleared?: string[] | false;
	/**
	 * Repeats the record ids and utrs in the output of a write, so that it shows which record was written. A text is the
	 * key to return them under; by default, it is the field of the request.
	 */
	identifies?: boolean | string;
	/** The key for an item, where it depends on its parameters. */
	identifiesAs?: (item: Item) => string;
	/** What to do if it is required but empty, other than to enter a value. */
	ifEmpty?: string;
	/** Further advice if the service rejects the field. */
	ifRejected?: string;
	/** Whether the readers of an email see it. */
	isForReaders?: boolean;
	/** Where the records are looked up before the request is sent. */
	source?: RecordKind;
	/**
	 * @param value the parameter's value, a resource locator already reduced to its value
	 * @param label the field's label in the editor
	 * @param mode the mode of the resource locator, if it is one
	 * @throws InvalidInput
	 */
	encode(value: unknown, label: string, item: Item, mode?: string): FormValue;
}

export type Inputs = Record<string, Input>;

interface TextRules extends Pick<Input, 'ifEmpty' | 'isForReaders'> {
	required?: boolean;
	minLength?: number;
	maxLength?: number;
	/** Of the text without the spaces around it. */
	pattern?: RegExp;
	/** The expected form, for a value that does not match `pattern`. */
	expected?: string;
}

export function text(parameter: string, rules: TextRules = {}): Input {
	const { minLength = 0, maxLength = Infinity, pattern, expected } = rules;
	return {
		parameter,
		required: rules.required,
		ifEmpty: rules.ifEmpty,
		isForReaders: rules.isForReaders,
		encode(value, label) {
			if (isEmpty(value)) return undefined;
			const given = asText(value, label);
			if (given.trim() === '') return undefined;
			const result = pattern === undefined ? given : given.trim();
			// As the service counts: 😀 is one character. Spaces around a short text may not count.
			const { length } = [...(minLength > 0 ? result.trim() : result)];
			if (length < minLength) {
				throw new InvalidInput(
					'text-too-short',
					`"${label}" is too short: it must have at least ${minLength} characters`,
					`Enter at least ${minLength} characters instead of ${quote(result)}.`,
				);
			}
			if (length > maxLength) {
				throw new InvalidInput(
					'text-too-long',
					`"${label}" is too long: it has ${length} characters, but at most ${maxLength} are allowed`,
					`Shorten it to at most ${maxLength} characters.`,
				);
			}
			if (pattern !== undefined && !pattern.test(result)) {
				throw new InvalidInput(
					'value-invalid',
					`"${label}" is not valid: ${quote(result)}`,
					`Use ${expected ?? 'another form'}.`,
				);
			}
			return result;
		},
	};
}

/** @param rules.isKnown whether it may be one that the service has stored */
export function email(
	parameter: string,
	rules: { required?: boolean; isKnown?: boolean } = {},
): Input {
	return {
		parameter,
		required: rules.required,
		encode(value, label) {
			const read = rules.isKnown ? storedAddress : clearAddress;
			return isBlank(value) ? undefined : toAddress(value, label, read);
		},
	};
}

/** @throws InvalidInput if there is no address */
export function toAddress(value: unknown, label: string, read = clearAddress): string {
	const text = asText(value, label);
	const address = read(text);
	if (address !== undefined) return address;
	throw new InvalidInput(
		'email-invalid',
		`"${label}" is not an email address: ${quote(text.trim())}`,
		ADDRESS_FORM,
	);
}

/** Whether it is meant as an email address. No ID has an `@`. */
export const isEmailKey = (text: string): boolean => text.includes('@');

/**
 * The entries of a list whose records are written. A text may end with a separator.
 *
 * @throws InvalidInput for an empty entry of an array: an address that is missing must not look like one that was written
 */
function givenEntries(value: unknown, label: string): string[] {
	if (!Array.isArray(value)) return listOf(value, label);
	const entries = entriesOf(value, label);
	const missing = entries.indexOf('');
	if (missing === -1) return entries;
	throw new InvalidInput(
		'value-required',
		`Entry ${missing + 1} of "${label}" is empty`,
		'If the field contains an expression, it returned nothing for this entry. Correct it, or leave such entries out of the array.',
	);
}

/** The kind of entries of a list. */
interface EntryKind {
	/** @returns undefined for an entry of another kind */
	read: (entry: string) => string | undefined;
	code: ErrorCode;
	/** Their name in messages. */
	names: string;
	remedy: string;
}

/** @throws InvalidInput for an entry of another kind */
function entriesOfKind(
	entries: readonly string[],
	label: string,
	{ read, code, names, remedy }: EntryKind,
): string[] | undefined {
	const wrong = [...new Set(entries)].filter((entry) => read(entry) === undefined);
	if (wrong.length > 0) {
		const shown = truncateList(wrong.map(quote));
		throw new InvalidInput(code, `"${label}" accepts only ${names}, but it has ${shown}`, remedy);
	}
	const distinct = [...new Set(entries.flatMap((entry) => read(entry) ?? []))];
	return distinct.length === 0 ? undefined : distinct;
}

const addresses: EntryKind = {
	read: knownAddress,
	code: 'emails-expected',
	names: 'email addresses',
	remedy: `${ADDRESS_FORM} Separate entries with commas, semicolons or line breaks.`,
};

/** Addresses as the service takes them: in one text, separated by commas (2, 9), in all spellings that may matter. */
export const emailList = (parameter: string): Input => ({
	parameter,
	required: true,
	encode(value, label) {
		const given = entriesOfKind(givenEntries(value, label), label, addresses);
		return given && allSpellingsToSend(given).join(',');
	},
});

export function integer(parameter: string, rules: { required?: boolean } = {}): Input {
	return {
		parameter,
		required: rules.required,
		encode(value, label) {
			return isBlank(value)
				? undefined
				: wholeNumber(value, label, 'Enter a whole number, such as 3.');
		},
	};
}

/** The id of a record, chosen from a list or given as a number. */
export function recordId(
	parameter: string,
	rules: {
		required?: boolean;
		label?: string;
		identifies?: boolean | string;
		source?: RecordKind;
	} = {},
): Input {
	const { source } = rules;
	return {
		parameter,
		label: rules.label,
		required: rules.required ?? true,
		identifies: rules.identifies ?? true,
		source,
		encode(value, label, _item, mode) {
			if (isBlank(value)) return undefined;
			const isEmail = mode === 'email' || (typeof value === 'string' && isEmailKey(value));
			if (source?.email !== undefined && isEmail) return toAddress(value, label, storedAddress);
			const remedy = source?.email
				? `Choose "${label}" from the list, or enter its numeric ID or its email address.`
				: `Choose "${label}" from the list, or enter its numeric ID.`;
			const id = wholeNumber(value, label, remedy);
			if (Number(id) === 0)
				throw new InvalidInput('zero-not-allowed', `"${label}" cannot be 0`, remedy);
			return id;
		},
	};
}

/** The utr of a single send, an automation or one of its schedules. */
export function utr(
	parameter: string,
	label: string,
	rules: { required?: boolean; identifies?: string; source?: RecordKind } = {},
): Input {
	return {
		parameter,
		label,
		required: rules.required ?? true,
		identifies: rules.identifies ?? true,
		source: rules.source,
		encode(value, label) {
			if (isBlank(value)) return undefined;
			const result = asText(value, label).trim();
			if (!isUtr(result)) {
				throw new InvalidInput(
					'value-invalid',
					`"${label}" is not valid: ${quote(result)}`,
					'Choose from the list, or enter the UTR from an earlier node. A UTR consists of letters, digits and dashes, such as 0d6f7c3e-6a34-4d7c-9a54-1b1f0c6c2d11.',
				);
			}
			return result;
		},
	};
}

export const flag = (parameter: string): Input => ({ parameter, required: true, encode: toFlag });

export const choice = (parameter: string, values: readonly string[]): Input => ({
	parameter,
	required: true,
	encode: (value, label) =>
		isBlank(value) ? undefined : choiceOf(asText(value, label).trim(), label, values),
});

/** Keys of records. */
const keys = (names: string, read: EntryKind['read']): EntryKind => ({
	read,
	code: 'ids-expected',
	names,
	remedy: `Choose from the list, or enter ${names} as an array or separated by commas.`,
});

const only = (isKey: (entry: string) => boolean) => (entry: string) =>
	isKey(entry) ? entry : undefined;

const keyKinds = {
	id: keys('IDs', only(isId)),
	utr: keys('UTRs', only(isUtr)),
	idOrEmail: keys('IDs and email addresses', (entry) =>
		isId(entry) ? entry : storedAddress(entry),
	),
};

/** Several IDs for a bulk delete: an array, or a comma-separated text. */
export function recordIds(
	parameter: string,
	label: string,
	rules: { source?: RecordKind } = {},
): Input {
	const { source } = rules;
	return {
		parameter,
		label,
		required: true,
		identifies: 'ids',
		source,
		encode: (value) =>
			entriesOfKind(
				givenEntries(value, label),
				label,
				keyKinds[source?.email ? 'idOrEmail' : 'id'],
			),
	};
}

const kindOfKeys = (item: Item): keyof typeof keyKinds =>
	choiceParam(item, 'options.identifyBy', 'Compatibility: Bulk Delete Identifier', ['id', 'utr']);

/**
 * Records for the bulk deletes 43 and 49b. The reference does not say whether these take ids or utrs, so the user can
 * choose.
 */
export function recordKeys(parameter: string, label: string): Input {
	return {
		parameter,
		label,
		required: true,
		identifies: true,
		identifiesAs: (item) => `${kindOfKeys(item)}s`,
		encode: (value, _label, item) =>
			entriesOfKind(givenEntries(value, label), label, keyKinds[kindOfKeys(item)]),
	};
}

/** Contact types and segments, as `contacts_{id}` and `segments_{id}`. */
const audiences: EntryKind = {
	read: (entry) => (isTarget(entry) ? entry : undefined),
	code: 'audiences-expected',
	names: 'contact types and segments',
	remedy:
		'Choose from the list, or enter IDs such as contacts_3 for a contact type or segments_8 for a segment.',
};

/** Converts targets from the form that the service returns, `{ id: 3, table: 'contacts_' }`, to that of requests. */
const withNames = (value: unknown): unknown =>
	Array.isArray(value)
		? Array.from(value as unknown[], (entry) => targetNames([entry])?.[0] ?? entry)
		: value;

export const targets = (parameter: string, rules: { required?: boolean } = {}): Input => ({
	parameter,
	required: rules.required,
	encode: (value, label) => entriesOfKind(givenEntries(withNames(value), label), label, audiences),
});

/**
 * Contact types and segments that get no email. If an expression returned nothing, that must not mean "exclude nobody"
 * in a new single send, or "keep the exclusions" in an update. An empty array does mean "exclude nobody".
 */
export function exclusions(prefix: string): Input {
	const parameter = `${prefix}excludeSpecificRecipientId`;
	const nobody = [''];
	return {
		...targets(parameter),
		cleared: nobody,
		encode(value, label, item) {
			const isNothing = isEmpty(value);
			if (isNothing && (isExpression(item.raw(parameter)) || (prefix === '' && value !== ''))) {
				throw valueRequired(
					label,
					'If the field contains an expression, it returned nothing. Return an array of IDs. To exclude nobody, return an empty array.',
				);
			}
			const given = entriesOfKind(entriesOf(withNames(value), label), label, audiences);
			return given ?? (prefix !== '' && isExpression(item.raw(parameter)) ? nobody : undefined);
		},
	};
}

/**
 * A field of an update that keeps the current value if it is left out. If an expression returned nothing, the field
 * must not count as left out: a copy of a campaign would keep the recipients or the content of its original.
 */
export function orKept(input: Input): Input {
	return {
		...input,
		encode(value, label, item, mode) {
			const entries = Array.isArray(value) ? Array.from(value as unknown[], locatorValue) : [value];
			const isNothing = entries.length === 0 || entries.some(isBlank);
			if (isNothing && !mayBeEmpty(item, input.parameter)) {
				throw emptyExpression(label, 'keep the current value');
			}
			return input.encode(value, label, item, mode);
		},
	};
}

/** One contact type or segment. */
export function target(parameter: string): Input {
	return {
		parameter,
		encode(value, label, item) {
			if (isBlank(value)) {
				if (!mayBeEmpty(item, parameter)) throw emptyExpression(label, 'choose no audience');
				return undefined;
			}
			return entriesOfKind([asText(value, label).trim()], label, audiences)?.[0];
		},
	};
}

/** `waiting_period` (49d): always 1 for an instant email; otherwise days or hours. */
export function waitingPeriod(parameter: string, typeParameter: string): Input {
	const period = integer(parameter, { required: true });
	return {
		...period,
		encode: (value, label, item) =>
			coerceText(item.param(typeParameter, '')).trim() === 'instantly'
				? '1'
				: period.encode(value, label, item),
	};
}
