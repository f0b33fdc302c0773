import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Item } from './item';

/**
 * Works out an expression for one item.
 *
 * @throws if n8n's own evaluation might give anything else, such as an object or an error
 */
export type Formula = (item: Item) => unknown;

/** What is not read yet of an expression. */
type Tokens = string[];

interface Step {
	isOptional: boolean;
	apply: (value: unknown) => unknown;
}

/** What n8n gives for `$('Node')`. */
interface SourceNode {
	readonly item: INodeExecutionData;
	first: () => INodeExecutionData;
	last: () => INodeExecutionData;
}

/** What n8n has to evaluate. */
class LeftToN8n extends Error {}

// Text in quotes has no escapes, and numbers are whole.
const TOKEN =
	/\s*("[^"\r\n]*"|'[^'\r\n]*'|[A-Za-z_$][\w$]*|(?:0|[1-9]\d{0,14})(?![\w$])|\?\.|\|\||\?\?|[+.()[\]])\s*/gy;

// One of n8n's engines cuts text off at a zero, drops byte order marks, and replaces halves of surrogate pairs.
const UNSAFE = /[\0\uFEFF]|\p{Surrogate}/u;

const METHODS = new Map<string, (text: string) => string>([
	['trim', (text) => text.trim()],
	['toLowerCase', (text) => text.toLowerCase()],
	['toUpperCase', (text) => text.toUpperCase()],
]);

/**
 * Reads an expression of the kinds that people write most: fields of the item (`$json.name`, `$input.item.json.name`)
 * and of earlier nodes (`$('CRM').item.json.name`) with the methods above, `+`, `||`, `??`, `?.`, and text around them.
 *
 * @param expression without the `=` that it starts with
 * @returns undefined for any other expression
 */
export function formulaOf(expression: string): Formula | undefined {
	// n8n has rules of its own for backslashes, and JavaScript has for these two line breaks.
	if (/[\\\u2028\u2029]/.test(expression) || UNSAFE.test(expression)) return undefined;
	const parts = expression.split(/\{\{([^]*?)\}\}/);
	try {
		const formulas = parts.map((part, index) =>
			index % 2 === 1 ? readCode(part) : readText(part),
		);
		const [before, , after] = parts;
		if (parts.length === 3 && before === '' && after === '') return formulas[1];
		return (item) => formulas.map((formula) => inText(formula(item))).join('');
	} catch {
		return undefined;
	}
}

function readText(text: string): Formula {
	if (text.includes('{{')) throw new LeftToN8n();
	return () => text;
}

/** How n8n writes a value that has text around it. */
function inText(value: unknown): string {
	return value === 0 || value === false || Boolean(value) ? String(value) : '';
}

function readCode(code: string): Formula {
	const tokens = Array.from(code.matchAll(TOKEN), ([, token = '']) => token);
	if (code.replace(TOKEN, '') !== '') throw new LeftToN8n();
	const formula = readChoice(tokens);
	if (tokens.length > 0) throw new LeftToN8n();
	return formula;
}

/** `a || b` or `a ?? b`; JavaScript does not allow a mixture. */
function readChoice(tokens: Tokens): Formula {
	const first = readSum(tokens);
	const operator = tokens[0];
	if (operator !== '||' && operator !== '??') return first;
	expect(tokens, operator);
	const others = readChain(tokens, operator, readSum);
	const isTaken = operator === '||' ? Boolean : (value: unknown) => !isNothing(value);
	return (item) =>
		others.reduce((value, other) => (isTaken(value) ? value : other(item)), first(item));
}

function readSum(tokens: Tokens): Formula {
	const operands = readChain(tokens, '+', readOperand);
	return (item) =>
		operands
			.map((operand) => operand(item))
			.reduce((sum, value) => (sum as string) + (value as string));
}

function readChain(tokens: Tokens, operator: string, read: (tokens: Tokens) => Formula): Formula[] {
	const formulas = [read(tokens)];
	while (tokens[0] === operator) {
		expect(tokens, operator);
		formulas.push(read(tokens));
	}
	return formulas;
}

function readOperand(tokens: Tokens): Formula {
	const token = take(tokens);
	if (isNumber(token)) return () => Number(token);
	const start = readStart(token, tokens);
	const steps = readSteps(tokens);
	return (item) => {
		let value = start(item);
		for (const { isOptional, apply } of steps) {
			if (isOptional && isNothing(value)) return undefined;
			value = apply(value);
		}
		if (value === Object(value) || UNSAFE.test(String(value))) throw new LeftToN8n();
		return value;
	};
}

function readStart(token: string, tokens: Tokens): Formula {
	if (isString(token)) return () => token.slice(1, -1);
	if (token === '(') {
		const inner = readChoice(tokens);
		expect(tokens, ')');
		return inner;
	}
	if (token === '$json') return ({ json }) => json;
	if (token === '$') return readNode(tokens);
	if (token !== '$input') throw new LeftToN8n();
	expect(tokens, '.', 'item', '.', 'json');
	return (item) => (item.workflowData().$input.item as INodeExecutionData).json;
}

/** `$('Node').item.json`, `$('Node').first().json` or `$('Node').last().json`. */
function readNode(tokens: Tokens): Formula {
	expect(tokens, '(');
	const name = take(tokens);
	if (!isString(name)) throw new LeftToN8n();
	expect(tokens, ')', '.');
	const which = take(tokens);
	if (which === 'first' || which === 'last') expect(tokens, '(', ')');
	else if (which !== 'item') throw new LeftToN8n();
	expect(tokens, '.', 'json');
	return (item) => {
		const node = item.workflowData().$(name.slice(1, -1)) as SourceNode;
		return (which === 'item' ? node.item : node[which]()).json;
	};
}

/** `.name`, `["name"]`, `[0]` and `.trim()`, each of them also with `?.`. */
function readSteps(tokens: Tokens): Step[] {
	const steps: Step[] = [];
	while (['.', '?.', '['].includes(tokens[0] ?? '')) {
		const isOptional = tokens[0] === '?.';
		const isNamed = tokens[0] === '.';
		if (tokens[0] !== '[') tokens.shift();
		steps.push({ isOptional, apply: readStep(tokens, isNamed) });
	}
	return steps;
}

function readStep(tokens: Tokens, isNamed: boolean): Step['apply'] {
	const token = take(tokens);
	if (token === '[' && !isNamed) {
		const key = take(tokens);
		if (!isString(key) && !isNumber(key)) throw new LeftToN8n();
		expect(tokens, ']');
		return (value) => memberOf(value, isString(key) ? key.slice(1, -1) : key);
	}
	if (!/^[\w$]+$/.test(token) || isNumber(token)) throw new LeftToN8n();
	const method = METHODS.get(token);
	if (method === undefined || tokens[0] !== '(') return (value) => memberOf(value, token);
	expect(tokens, '(', ')');
	return (value) => {
		if (typeof value !== 'string') throw new LeftToN8n();
		return method(value);
	};
}

/** What plain data has under a key; n8n knows more about what each object has, and about what is not there. */
function memberOf(value: unknown, key: string): unknown {
	if (value !== Object(value) || key in Object.prototype) throw new LeftToN8n();
	if (Object.hasOwn(value as object, key)) return (value as IDataObject)[key];
	const prototype: unknown = Object.getPrototypeOf(value);
	if (prototype === Object.prototype || prototype === null) return undefined;
	throw new LeftToN8n();
}

function take(tokens: Tokens): string {
	const token = tokens.shift();
	if (token === undefined) throw new LeftToN8n();
	return token;
}

function expect(tokens: Tokens, ...expected: string[]): void {
	for (const token of expected) if (take(tokens) !== token) throw new LeftToN8n();
}

const isString = (token: string): boolean => /^["']/.test(token);
const isNumber = (token: string): boolean => /^\d/.test(token);
const isNothing = (value: unknown): boolean => value === null || value === undefined;
