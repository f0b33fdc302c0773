import type { Part, UploadedFile } from './forms.ts';
import type { Recipient } from './model.ts';
import type { Settings } from './settings.ts';

/** Refuses a value. With a rule it is also recorded as a violation: no user can cause it by what he types. */
export class Refused {
	readonly text: string;
	readonly rule: string | undefined;

	constructor(text: string, rule?: string) {
		this.text = text;
		this.rule = rule;
	}
}

/** What the reading of a value may depend on, and what it notes for the journal. */
export interface Reading {
	settings: Settings;
	notes: string[];
}

export type Schema = Record<string, unknown>;

/** One parameter of an endpoint: how its value is read, and what is refused. */
export interface Param<T = unknown> {
	readonly type: string;
	/** JSON schema of the value; of one entry of a list. */
	readonly schema: Schema;
	readonly required: boolean;
	readonly list?: boolean;
	readonly file?: boolean;
	/** The reference itself says that this optional field is to be left empty. */
	readonly mayBeEmpty?: boolean;
	readonly requiredText?: string;
	readonly read: (parts: Part[], name: string, reading: Reading) => T;
}

export type Params = Record<string, Param>;

export type Input<P extends Params> = {
	[K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

const EMAIL = {
	any: /^[^\s\p{Cc},]+@[^\s\p{Cc},]+$/u,
	domain: /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/,
};
const INTEGER = /^-?(0|[1-9]\d*)$/;
const RECIPIENT = /^(contacts|segments)_([1-9]\d*)$/;
const recipientSchema = {
	type: 'string',
	pattern: RECIPIENT.source,
	description: '`contacts_{contact_type_id}` or `segments_{segment_id}`',
};

export const label = (name: string): string => name.replaceAll('_', ' ');

function single<T>(
	type: string,
	schema: Schema,
	read: (value: string, name: string, reading: Reading) => T,
): Param<T> {
	return {
		type,
		schema,
		required: true,
		read: (parts, name, reading) => read(parts[0]?.value ?? '', name, reading),
	};
}

function list<T>(
	type: string,
	schema: Schema,
	read: (value: string, name: string) => T,
): Param<T[]> {
	return {
		type,
		schema,
		required: true,
		list: true,
		read: (parts, name) => parts.map((part) => read(part.value, name)),
	};
}

export interface TextRules {
	min?: number;
	max?: number;
	requiredText?: string;
}

export const text = ({ min = 0, max = Infinity, requiredText }: TextRules = {}): Param<string> => ({
	...single(
		'string',
		{
			type: 'string',
			...(min > 0 && { minLength: min }),
			...(max < Infinity && { maxLength: max }),
		},
		(value, name) => {
			const length = [...value].length;
			if (length < min) throw new Refused(`The ${label(name)} must be at least ${min} characters.`);
			if (length > max) {
				throw new Refused(`The ${label(name)} may not be greater than ${max} characters.`);
			}
			return value;
		},
	),
	...(requiredText === undefined ? {} : { requiredText }),
});

export const oneOf = <const V extends string>(...values: V[]): Param<V> =>
	single(`one of ${values.join(', ')}`, { type: 'string', enum: values }, (value, name) => {
		const found = values.find((allowed) => allowed === value);
		if (found === undefined) throw new Refused(`The selected ${label(name)} is invalid.`);
		return found;
	});

export const integer: Param<number> = single('integer', { type: 'integer' }, (value, name) => {
	const number = Number(value);
	if (!INTEGER.test(value) || !Number.isSafeInteger(number)) {
		throw new Refused(`The ${label(name)} must be an integer.`, 'integer');
	}
	return number;
});

export const flag: Param<number> = single(
	'boolean',
	{ type: 'integer', enum: [0, 1] },
	(value, name) => {
		if (value !== '0' && value !== '1') {
			throw new Refused(`The ${label(name)} field must be true or false.`, 'boolean');
		}
		return Number(value);
	},
);

/** The reference says "email address" and no more: what one must look like is a setting. */
export const isEmail = (value: string, { emailSyntax }: Settings): boolean =>
	EMAIL[emailSyntax].test(value);

function checkEmail(value: string, name: string, { settings }: Reading): string {
	if (isEmail(value, settings)) return value;
	throw new Refused(`The ${label(name)} must be a valid email address.`);
}

export const email: Param<string> = single(
	'email',
	{ type: 'string', format: 'email' },
	checkEmail,
);

/** Comma-separated; spaces round an address are dropped. */
export const emails: Param<string[]> = single(
	'emails',
	{ type: 'string', description: 'Comma-separated email addresses' },
	(value, name, reading) =>
		value.split(',').map((address) => checkEmail(address.trim(), name, reading)),
);

export const date: Param<string> = single(
	'date',
	{ type: 'string', description: 'Form `y-m-d`' },
	(value, name, { settings: { dateFormat } }) => {
		const refused = `The ${label(name)} is not a valid date.`;
		const full = /^\d{2}-/.test(value) ? `20${value}` : value;
		const time = /^\d{4}-\d{2}-\d{2}$/.test(full) ? Date.parse(`${full}T00:00:00Z`) : NaN;
		if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== full) {
			throw new Refused(refused, 'date');
		}
		if (dateFormat !== 'any' && dateFormat.length !== value.length) throw new Refused(refused);
		return full;
	},
);

/** The format of times is not shown: which of the two is taken is a setting, and the journal notes which was sent. */
export const time: Param<string> = single(
	'time',
	{ type: 'string', description: 'The format is not shown' },
	(value, name, { settings, notes }) => {
		const refused = `The ${label(name)} is not a valid time.`;
		if (!/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value)) throw new Refused(refused, 'time');
		const format = value.length === 5 ? 'HH:MM' : 'HH:MM:SS';
		notes.push(`${name} sent as ${format}`);
		if (settings.timeFormat !== 'any' && settings.timeFormat !== format) throw new Refused(refused);
		return format === 'HH:MM' ? `${value}:00` : value;
	},
);

export const json: Param<string> = single(
	'json',
	{ type: 'string', contentMediaType: 'application/json' },
	(value, name) => {
		try {
			JSON.parse(value);
		} catch {
			throw new Refused(`The ${label(name)} must be a valid JSON string.`, 'json');
		}
		return value;
	},
);

export function parseRecipient(value: string, name: string): Recipient {
	const [, table, id] = RECIPIENT.exec(value) ?? [];
	if (table === undefined || id === undefined) {
		throw new Refused(`The selected ${label(name)} is invalid.`, 'recipient');
	}
	return { id, table: `${table}_` };
}

export const recipient: Param<Recipient> = single('recipient', recipientSchema, parseRecipient);
export const recipients: Param<Recipient[]> = list('recipients', recipientSchema, parseRecipient);

export const integers: Param<number[]> = list('integers', { type: 'integer' }, (value, name) => {
	if (!INTEGER.test(value)) throw new Refused(`The ${name} must be integers.`, 'integer');
	return Number(value);
});

/** Ids or utrs. */
export const references: Param<string[]> = list(
	'ids or utrs',
	{ type: 'string', description: 'What identifies the record (id or utr) is not shown' },
	(value) => value,
);

export const csvFile: Param<UploadedFile> = {
	type: 'csv file',
	schema: { type: 'string', format: 'binary', description: 'Only the csv extension is allowed' },
	required: true,
	file: true,
	read: (parts, name) => {
		const file = parts[0]?.file;
		if (!file?.filename) {
			throw new Refused(`The ${label(name)} must be a file.`, 'file-without-name');
		}
		if (!/\.csv$/i.test(file.filename)) {
			throw new Refused(`The ${label(name)} must be a file of type: csv.`, 'file-type');
		}
		return file;
	},
};

/** Undefined when it is not sent; null when it is sent empty, which in an update clears the field. */
export const optional = <T>(param: Param<T>): Param<T | null | undefined> => ({
	...param,
	required: false,
});

export const mayBeEmpty = <T>(param: Param<T>): Param<T> => ({ ...param, mayBeEmpty: true });
