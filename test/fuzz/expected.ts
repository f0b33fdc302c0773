import { endpoints } from '../../sandbox/endpoints/index.ts';
import { Refused } from '../../sandbox/params.ts';
import { defaultSettings } from '../../sandbox/settings.ts';
import type { Endpoint } from '../../nodes/EmailMarketing/service/endpoints';
import type { Slot } from './operations';

type Field = NonNullable<Slot['field']>;

/**
 * What has to become of a value: the texts that are sent for it (none, one, or the entries of an
 * array), or that it is refused. `either` says that the node may be stricter than the specification.
 */
export interface Expected {
	sends?: string[];
	refused: 'yes' | 'no' | 'either';
}

const refused: Expected = { refused: 'yes' };
const absent = (required: boolean): Expected => (required ? refused : { sends: [], refused: 'no' });

const isNothing = (value: unknown) => value === undefined || value === null || value === '';

/** A text as it is, a number in digits; nothing else is text. */
function textOf(value: unknown): string | undefined {
	if (typeof value === 'string') return value;
	return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}

/** As it arrives in UTF-8, which has no lone surrogates. */
const inUtf8 = (text: string) => Buffer.from(text).toString();

/** Whether the specification takes these texts as the field. */
function isAllowed({ method, path }: Endpoint, { place, name }: Field, texts: string[]): boolean {
	const counterpart = endpoints.find(
		(one) => one.path === path && one.methods.some((known) => known === method),
	);
	const parts = texts.map((value) => ({ name, value: inUtf8(value) }));
	try {
		counterpart?.[place][name]?.read(parts, name, { settings: defaultSettings, notes: [] });
		return true;
	} catch (error) {
		if (error instanceof Refused) return false;
		throw error;
	}
}

/** Fields of which the node knows more than the specification says: a UTR's characters, for example. */
const stricter = new Set(['utr', 'field_name', 'country']);

/** What nobody can take for wrong, by type or name of the field. */
const ordinary: Record<string, RegExp> = {
	email: /^[a-z]\w{0,20}@example\.com$/,
	emails: /^[a-z]\w{0,20}@example\.com$/,
	integers: /^[1-9]\d{0,9}$/,
	'ids or utrs': /^[1-9]\d{0,9}$/,
	recipients: /./s,
	utr: /^[a-z][a-z_]{0,20}$/,
	field_name: /^[a-z][a-z_]{0,20}$/,
	country: /^[1-9]\d{0,9}$/,
};

const isEmail = (text: string): boolean => /^[^@\s]+@[^@\s]+$/.test(text);

const isOrdinary = (text: string, { name, type }: Field): boolean =>
	(ordinary[name] ?? ordinary[type])?.test(text) ?? true;

function single(value: unknown, field: Field, endpoint: Endpoint, trimmed: boolean): Expected {
	if (isNothing(value)) return absent(field.required);
	const given = textOf(value);
	if (given === undefined) return refused;
	const sent = trimmed || stricter.has(field.name) ? given.trim() : given;
	if (sent.trim() === '') return absent(field.required);
	if (!isAllowed(endpoint, field, [sent])) {
		// Names of countries are looked up, and leading zeros go.
		return field.type === 'integer' ? { refused: 'either' } : refused;
	}
	if (field.type === 'integer') {
		// All others are IDs.
		const isTooSmall = field.name === 'waiting_period' ? sent.startsWith('-') : Number(sent) <= 0;
		if (isTooSmall || sent.length > 15) return refused;
	}
	return { sends: [inUtf8(sent)], refused: isOrdinary(sent, field) ? 'no' : 'either' };
}

function flag(value: unknown, { required }: Field): Expected {
	if (isNothing(value)) return absent(required);
	const given = typeof value === 'string' ? value.trim().toLowerCase() : value;
	if (given === true || given === 1 || given === '1' || given === 'true') {
		return { sends: ['1'], refused: 'no' };
	}
	if (given === false || given === 0 || given === '0' || given === 'false') {
		return { sends: ['0'], refused: 'no' };
	}
	return refused;
}

const isLocator = (value: unknown): value is { value?: unknown } =>
	typeof value === 'object' && value !== null && '__rl' in value && value.__rl === true;

const valueOf = (entry: unknown) => (isLocator(entry) ? entry.value : entry);

/** An array, or a text with commas; blanks and doubles go. */
function several(value: unknown, field: Field, endpoint: Endpoint): Expected {
	const isOneText = field.type === 'emails';
	const isExclusion = field.name === 'exclude_specific_recipient_id';
	// Nobody is to get an email because an expression did not return the excluded lists, or one of them is blank.
	if (isExclusion && isNothing(value)) return { refused: 'either' };
	if (isNothing(value)) return absent(field.required);
	const entries = Array.isArray(value) ? (value as unknown[]) : textOf(value)?.split(/[,;\n]/);
	const filled = entries?.filter((entry) => !isNothing(entry));
	const texts = filled?.map((entry) => textOf(valueOf(entry)));
	if (texts === undefined || texts.includes(undefined)) return refused;
	const hasBlank = texts.length < (entries?.length ?? 0) || texts.some((text) => !text?.trim());
	if (isExclusion && hasBlank) return refused;
	const given = (texts as string[]).map((text) => text.trim()).filter(Boolean);
	const keyOf = (text: string) => (isOneText ? text.toLowerCase() : text);
	const sent = [...new Map(given.map((text) => [keyOf(text), text])).values()];
	if (sent.length === 0) return absent(field.required);
	const asSent = isOneText ? [sent.join(',')] : sent;
	if (!isAllowed(endpoint, field, asSent)) {
		// Records can be chosen by their email, too.
		return field.type === 'integers' && sent.some(isEmail) ? { refused: 'either' } : refused;
	}
	const isSure = sent.every((text) => isOrdinary(text, field));
	return { sends: asSent.map(inUtf8), refused: isSure ? 'no' : 'either' };
}

function json(value: unknown): Expected {
	if (isNothing(value)) return refused;
	// What is marked as the choice of a record counts as its value, whatever the field.
	if (isLocator(value)) return { refused: 'either' };
	if (typeof value === 'object') return { sends: [inUtf8(JSON.stringify(value))], refused: 'no' };
	try {
		const design = JSON.parse(String(value)) as unknown;
		const hasContent = typeof design === 'object' && Object.keys(design ?? {}).length > 0;
		return hasContent ? { sends: [inUtf8(String(value))], refused: 'no' } : refused;
	} catch {
		return refused;
	}
}

/** What the documentation says about a value for this field. */
export function expectedOf(value: unknown, field: Field, endpoint: Endpoint): Expected {
	const { type, name, required } = field;
	if (name === 'template_html') {
		const isText = typeof value === 'string' && value.trim() !== '';
		return isText ? { sends: [inUtf8(value)], refused: 'no' } : refused;
	}
	if (type === 'json') return json(value);
	if (type === 'boolean') return flag(value, field);
	if (['emails', 'integers', 'ids or utrs', 'recipients'].includes(type)) {
		return several(value, field, endpoint);
	}
	// It is that of the template then.
	const isBlank = isNothing(value) || (typeof value === 'string' && value.trim() === '');
	if (name === 'preview_img' && isBlank) return { refused: 'either' };
	return single(value, { ...field, required }, endpoint, type !== 'string');
}
