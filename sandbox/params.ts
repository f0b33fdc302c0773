import type { Part, UploadedFile } from './forms.ts';
import type { Recipient } from './model.ts';

/** Refuses a value. With a rule it is also recorded as a violation: no user can cause it by what he types. */
export class Refused {
	readonly text: string;
	readonly rule: string | undefined;

	constructor(text: string, rule?: string) {
		this.text = text;
		this.rule = rule;
	}
}

/** One parameter of an endpoint: how its value is read, and what is refused. */
export interface Param<T = unknown> {
	readonly type: string;
	readonly required: boolean;
	readonly list?: boolean;
	readonly file?: boolean;
	/** The reference itself says that this optional field is to be left empty. */
	readonly mayBeBlank?: boolean;
	readonly requiredText?: string;
	readonly read: (parts: Part[], name: string, notes: string[]) => T;
}

export type Params = Record<string, Param>;

export type Input<P extends Params> = {
	[K in keyof P]: P[K] extends Param<infer T> ? T : never;
};

export const EMAIL = /^[^\s,]+@[^\s,]+$/;
const INTEGER = /^-?(0|[1-9]\d*)$/;
const RECIPIENT = /^(contacts|segments)_([1-9]\d*)$/;

export const label = (name: string): string => name.replaceAll('_', ' ');

function single<T>(
	type: string,
	read: (value: string, name: string, notes: string[]) => T,
): Param<T> {
	return {
		type,
		required: true,
		read: (parts, name, notes) => read(parts[0]?.value ?? '', name, notes),
	};
}

function list<T>(type: string, read: (value: string, name: string) => T): Param<T[]> {
	return {
		type,
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
	...single('string', (value, name) => {
		const length = [...value].length;
		if (length < min) throw new Refused(`The ${label(name)} must be at least ${min} characters.`);
		if (length > max) {
			throw new Refused(`The ${label(name)} may not be greater than ${max} characters.`);
		}
		return value;
	}),
	...(requiredText === undefined ? {} : { requiredText }),
});

export const oneOf = <const V extends string>(...values: V[]): Param<V> =>
	single(`one of ${values.join(', ')}`, (value, name) => {
		const found = values.find((allowed) => allowed === value);
		if (found === undefined) throw new Refused(`The selected ${label(name)} is invalid.`);
		return found;
	});

export const integer: Param<number> = single('integer', (value, name) => {
	const number = Number(value);
	if (!INTEGER.test(value) || !Number.isSafeInteger(number)) {
		throw new Refused(`The ${label(name)} must be an integer.`, 'integer');
	}
	return number;
});

export const flag: Param<number> = single('boolean', (value, name) => {
	if (value !== '0' && value !== '1') {
		throw new Refused(`The ${label(name)} field must be true or false.`, 'boolean');
	}
	return Number(value);
});

function checkEmail(value: string, name: string): string {
	if (!EMAIL.test(value)) throw new Refused(`The ${label(name)} must be a valid email address.`);
	return value;
}

export const email: Param<string> = single('email', checkEmail);

/** Comma-separated; blanks round an address are dropped. */
export const emails: Param<string[]> = single('emails', (value, name) =>
	value.split(',').map((address) => checkEmail(address.trim(), name)),
);

export const date: Param<string> = single('date', (value, name) => {
	const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : NaN;
	if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== value) {
		throw new Refused(`The ${label(name)} is not a valid date.`, 'date');
	}
	return value;
});

/** The format of times is not shown: with and without seconds are taken, and noted in the journal. */
export const time: Param<string> = single('time', (value, name, notes) => {
	if (!/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(value)) {
		throw new Refused(`The ${label(name)} is not a valid time.`, 'time');
	}
	const short = value.length === 5;
	notes.push(`${name} sent as ${short ? 'HH:MM' : 'HH:MM:SS'}`);
	return short ? `${value}:00` : value;
});

export const json: Param<string> = single('json', (value, name) => {
	try {
		JSON.parse(value);
	} catch {
		throw new Refused(`The ${label(name)} must be a valid JSON string.`, 'json');
	}
	return value;
});

export function parseRecipient(value: string, name: string): Recipient {
	const [, table, id] = RECIPIENT.exec(value) ?? [];
	if (table === undefined || id === undefined) {
		throw new Refused(`The selected ${label(name)} is invalid.`, 'recipient');
	}
	return { id, table: `${table}_` };
}

export const recipient: Param<Recipient> = single('recipient', parseRecipient);
export const recipients: Param<Recipient[]> = list('recipients', parseRecipient);

export const integers: Param<number[]> = list('integers', (value, name) => {
	if (!INTEGER.test(value)) throw new Refused(`The ${name} must be integers.`, 'integer');
	return Number(value);
});

/** Ids or utrs. */
export const references: Param<string[]> = list('ids or utrs', (value) => value);

export const csvFile: Param<UploadedFile> = {
	type: 'csv file',
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

/** Undefined when it is not sent; null when an update sends it blank, which clears the field. */
export const optional = <T>(param: Param<T>): Param<T | null | undefined> => ({
	...param,
	required: false,
});

export const mayBeBlank = <T>(param: Param<T>): Param<T> => ({ ...param, mayBeBlank: true });
