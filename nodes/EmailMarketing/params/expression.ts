import type { IDataObject } from 'n8n-workflow';

import type { Item } from './item';

/**
 * Evaluates an expression for one item.
 *
 * @throws if n8n's own evaluation might give anything else, such as an object or an error
 */
export type Formula = (item: Item) => unknown;

type Take = (pattern: RegExp) => RegExpExecArray | null;

class LeftToN8n extends Error {}

const KEY = /"([^"\r\n]*)"|'([^'\r\n]*)'/.source;
const TEXT = new RegExp(`^(?:${KEY})`);
const JSON_OF_ITEM = /^\$json(?![\w$])/;
const JSON_OF_NODE = new RegExp(`^\\$\\((?:${KEY})\\)\\.item\\.json(?![\\w$])`);
const STEP = new RegExp(
	`^\\s*(?:(\\?)?\\.([A-Za-z_$][\\w$]*)(\\(\\))?|(\\?\\.)?\\[(?:${KEY}|(0|[1-9]\\d{0,14}))\\])`,
);
const OPERATOR = /^\s*(\|\||\?\?)\s*/;

// One of n8n's engines cuts text off at a zero, drops byte order marks, and replaces halves of surrogate pairs.
const UNSAFE = /[\0\uFEFF]|\p{Surrogate}/u;

const METHODS = ['trim', 'toLowerCase', 'toUpperCase'] as const;

/**
 * Reads an expression of the kinds that people write most: fields of the item (`$json.name`) and of earlier nodes
 * (`$('CRM').item.json.name`) with the methods above, `||`, `??`, `?.`, and text around them.
 *
 * @param expression without the `=` that it starts with
 * @returns undefined for any other expression
 */
export function formulaOf(expression: string): Formula | undefined {
	// n8n treats backslashes in its own way, and so does JavaScript these two line breaks.
	if (/[\\\u2028\u2029]/.test(expression) || UNSAFE.test(expression)) return undefined;
	const parts = expression.split(/\{\{([^]*?)\}\}/);
	if (parts.some((part, index) => index % 2 === 0 && part.includes('{{'))) return undefined;
	try {
		const formulas = parts.map((part, index) => (index % 2 === 1 ? readCode(part) : () => part));
		if (parts.length === 3 && parts[0] === '' && parts[2] === '') return formulas[1];
		return (item) => formulas.map((formula) => inText(formula(item))).join('');
	} catch {
		return undefined;
	}
}

/** How n8n writes a value that has text around it. */
const inText = (value: unknown) =>
	value === 0 || value === false || Boolean(value) ? String(value) : '';

/** `a`, or a chain of `a || b` or `a ?? b`; JavaScript does not allow a mixture. */
function readCode(code: string): Formula {
	let rest = code.trim();
	const take: Take = (pattern) => {
		const found = pattern.exec(rest);
		rest = rest.slice(found?.[0].length ?? 0);
		return found;
	};
	const first = readOperand(take);
	const others: Formula[] = [];
	const operators = new Set<string | undefined>();
	for (let found = take(OPERATOR); found; found = take(OPERATOR)) {
		operators.add(found[1]);
		others.push(readOperand(take));
	}
	if (rest !== '' || operators.size > 1) throw new LeftToN8n();
	const isTaken = operators.has('||') ? Boolean : (value: unknown) => (value ?? null) !== null;
	return (item) =>
		others.reduce((value, other) => (isTaken(value) ? value : other(item)), first(item));
}

function readOperand(take: Take): Formula {
	const start = readStart(take);
	const steps: Array<{ isOptional: boolean; apply: (value: unknown) => unknown }> = [];
	for (let found = take(STEP); found; found = take(STEP)) {
		const [, mark, name = '', call, bracketMark, double, single, index] = found;
		const key = double ?? single ?? index ?? name;
		const apply = call === undefined ? (value: unknown) => memberOf(value, key) : methodOf(name);
		steps.push({ isOptional: (mark ?? bracketMark) !== undefined, apply });
	}
	return (item) => {
		let value = start(item);
		for (const { isOptional, apply } of steps) {
			if (isOptional && (value ?? null) === null) return undefined;
			value = apply(value);
		}
		if (value === Object(value) || UNSAFE.test(String(value))) throw new LeftToN8n();
		return value;
	};
}

function readStart(take: Take): Formula {
	const text = take(TEXT);
	if (text) return () => text[1] ?? text[2];
	if (take(JSON_OF_ITEM)) return ({ json }) => json;
	const node = take(JSON_OF_NODE);
	if (!node) throw new LeftToN8n();
	return (item) => (item.workflowData().$(node[1] ?? node[2]) as { item: Item }).item.json;
}

function methodOf(name: string): (value: unknown) => unknown {
	const method = METHODS.find((one) => one === name);
	return (value) => {
		if (method === undefined || typeof value !== 'string') throw new LeftToN8n();
		return value[method]();
	};
}

/** The value of plain data under a key. For other objects and missing keys, n8n has more rules. */
function memberOf(value: unknown, key: string): unknown {
	if (value !== Object(value) || key in Object.prototype) throw new LeftToN8n();
	if (Object.hasOwn(value as object, key)) return (value as IDataObject)[key];
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype === Object.prototype || prototype === null) return undefined;
	throw new LeftToN8n();
}

/** Names in expressions with the same value for all items: all items of a node, and data of the run. */
const OF_ALL_ITEMS = new RegExp(
	[
		/\$(?:\(\s*(?:'[^']*'|"[^"]*")\s*\)|input)\s*\.\s*(?:all|first|last)\b/,
		/\$(?:env|execution|now|runIndex|today|vars|workflow)\b/,
		/\$(?:if|ifEmpty|items|jmespath|max|min|not)\s*\(/,
		/\$\{/,
	]
		.map(({ source }) => source)
		.join('|'),
	'g',
);

/** Whether an expression may return another value for each item. */
export const mayDependOnItem = (expression: string): boolean =>
	expression.replaceAll(OF_ALL_ITEMS, '').includes('$');

/** All expressions in a parameter as the workflow has it. */
export function expressionsIn(raw: unknown): string[] {
	if (typeof raw === 'string') return raw.startsWith('=') ? [raw] : [];
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(expressionsIn) : [];
}
