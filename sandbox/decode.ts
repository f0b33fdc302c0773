import type { Part } from './forms.ts';
import { label, Refused, type Param, type Params, type Reading } from './params.ts';
import type { Settings } from './settings.ts';

export interface Found {
	rule: string;
	detail: string;
}

export interface Decoded {
	input: Record<string, unknown>;
	errors: Record<string, string[]>;
	violations: Found[];
	notes: string[];
}

export interface Shape {
	query: Params;
	body: Params;
	/** Updates: an optional field sent empty clears what was stored. */
	clears: boolean;
}

interface Sent {
	parts: Part[];
	indexes: number[];
}

type Refuse = (name: string, words: string, rule?: string) => void;

const INDEXED = /^([^[\]]+)\[(0|[1-9]\d*)\]$/;

/** Holds what was sent against what the endpoint knows; everything that does not fit is named. */
export function decode(shape: Shape, query: Part[], body: Part[], settings: Settings): Decoded {
	const result: Decoded = { input: {}, errors: {}, violations: [], notes: [] };
	const refuse: Refuse = (name, words, rule) => {
		(result.errors[name] ??= []).push(words);
		if (rule !== undefined) result.violations.push({ rule, detail: `${name}: ${words}` });
	};
	const reading = { settings, notes: result.notes };
	const inQuery = collect('query', shape.query, shape.body, query, refuse);
	const inBody = collect('body', shape.body, shape.query, body, refuse);
	for (const [params, sent] of [
		[shape.query, inQuery],
		[shape.body, inBody],
	] as const) {
		for (const [name, param] of Object.entries(params)) {
			if (result.errors[name]) continue;
			const parts = sent.get(name)?.parts ?? [];
			result.input[name] = read(name, param, parts, shape.clears, reading, refuse);
		}
	}
	return result;
}

function collect(place: string, params: Params, other: Params, parts: Part[], refuse: Refuse) {
	const sent = new Map<string, Sent>();
	for (const part of parts) {
		const base = part.name.split('[')[0] ?? part.name;
		const param = Object.hasOwn(params, base) ? params[base] : undefined;
		if (!param) {
			if (Object.hasOwn(other, base)) {
				refuse(base, `The ${label(base)} does not belong in the ${place}.`, 'wrong-place');
			} else {
				refuse(base, `The ${place} field ${part.name} is unknown.`, 'unknown-field');
			}
			continue;
		}
		const index = INDEXED.exec(part.name)?.[2];
		if (param.list ? index === undefined : part.name !== base) {
			refuse(
				base,
				`The key ${part.name} must be ${base}${param.list ? '[index]' : ''}.`,
				'array-key',
			);
			continue;
		}
		if (part.file && !param.file) refuse(base, `The ${label(base)} must not be a file.`, 'file');
		const entry = sent.get(base) ?? { parts: [], indexes: [] };
		entry.parts.push(part);
		if (index !== undefined) entry.indexes.push(Number(index));
		sent.set(base, entry);
	}
	for (const [base, { parts: repeated, indexes }] of sent) {
		if (params[base]?.list) {
			const sorted = indexes.toSorted((a, b) => a - b);
			if (sorted.some((index, position) => index !== position)) {
				refuse(
					base,
					`The indexes of ${base} must run from 0 without gaps or repeats.`,
					'array-key',
				);
			}
		} else if (repeated.length > 1) {
			refuse(base, `The ${label(base)} is sent ${repeated.length} times.`, 'duplicate-field');
		}
	}
	return sent;
}

function read(
	name: string,
	param: Param,
	parts: Part[],
	clears: boolean,
	reading: Reading,
	refuse: Refuse,
): unknown {
	const empty = parts.every((part) => !part.file && part.value.trim() === '');
	if (param.required && empty) {
		refuse(name, param.requiredText ?? `The ${label(name)} field is required.`);
		return undefined;
	}
	if (parts.length === 0) return undefined;
	if (empty && param.mayBeEmpty) return null;
	if (empty && clears) return reading.settings.emptyInUpdate === 'keeps' ? undefined : null;
	if (empty && param.type === 'string') {
		if (reading.settings.emptyOptional === 'accept') return null;
		refuse(name, `The ${label(name)} must be a string.`);
		return undefined;
	}
	try {
		return param.read(parts, name, reading);
	} catch (error) {
		if (!(error instanceof Refused)) throw error;
		refuse(name, error.text, error.rule);
		return undefined;
	}
}
