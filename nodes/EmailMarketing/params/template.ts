import type { IDataObject } from 'n8n-workflow';

import type { Fields } from '../service/form';
import { coerceText, isEmpty, textOrJson, toJson } from '../util/coerce';
import { quote, sanitize } from '../util/text';
import { keep, keepId, unusable } from './currentValue';
import type { Keep } from './currentValue';
import { choiceOf, choiceParam } from './givenOption';
import { InvalidInput, valueRequired } from './invalidInput';
import type { Item } from './item';
import { recordId } from './validators';
import type { Input } from './validators';
import { locatorValue } from './values';

/** Id of the blank template, which stands for HTML or JSON of one's own (35, 38). */
export const ownTemplate = '1';

/** The fields of an update that give the email its body. */
const updatedContents: Record<string, { label: string; source: string }> = {
	templateId: { label: 'Template', source: 'template' },
	templateHtml: { label: 'HTML', source: 'html' },
	templateJson: { label: 'JSON', source: 'json' },
};

function sourceOf(item: Item, prefix: string): string {
	if (prefix === '') {
		// Anything else would send the blank template.
		const sources = ['template', 'html', 'json'];
		return choiceOf(item.param('templateSource', 'template'), 'Content', sources);
	}
	const given = (name: string) => !isEmpty(locatorValue(item.param(`${prefix}${name}`, '')));
	const contents = Object.keys(updatedContents).filter(given);
	if (contents.length > 1) {
		const labels = contents.map((name) => `"${updatedContents[name]?.label}"`);
		throw new InvalidInput(
			'fields-conflict',
			`${labels.join(' and ')} cannot be set together`,
			'Keep one of them: a campaign has one body.',
		);
	}
	return updatedContents[contents[0] ?? 'templateId']?.source ?? 'template';
}

export function templateId(prefix = ''): Input {
	const chosen = recordId(`${prefix}templateId`);
	return {
		...chosen,
		identifies: false,
		encode(value, label, item) {
			return sourceOf(item, prefix) === 'template'
				? chosen.encode(value, label, item)
				: ownTemplate;
		},
	};
}

const unusedContent =
	'If the service requires this field although the email does not use it, add "Compatibility: Unused Content" in Options and choose "Send Empty".';

/** The value to send for unused HTML or JSON. */
const unused = (item: Item): string | undefined =>
	choiceParam(item, 'options.unusedContent', 'Compatibility: Unused Content', ['omit', 'empty']) ===
	'empty'
		? ''
		: undefined;

/** An update keeps the fields without a new value. */
const unusedOrKept = (item: Item, prefix: string): string | undefined =>
	prefix === '' ? unused(item) : undefined;

export function templateHtml(prefix = ''): Input {
	return {
		parameter: `${prefix}templateHtml`,
		cleared: false,
		isForReaders: true,
		ifRejected: unusedContent,
		encode(value, label, item) {
			if (sourceOf(item, prefix) !== 'html') return unusedOrKept(item, prefix);
			if (typeof value === 'string' && value.trim() !== '') return value;
			throw new InvalidInput(
				isEmpty(value) ? 'value-required' : 'text-expected',
				isEmpty(value)
					? `"${label}" is required but empty`
					: `"${label}" must be text, but it is ${quote(value)}`,
				'Enter the HTML of the email, or choose "Design Template" as "Content".',
			);
		},
	};
}

function jsonProblem(value: string): string | undefined {
	try {
		JSON.parse(value);
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}

export function templateJson(prefix = ''): Input {
	return {
		parameter: `${prefix}templateJson`,
		cleared: false,
		isForReaders: true,
		ifRejected: unusedContent,
		encode(value, label, item) {
			if (sourceOf(item, prefix) !== 'json') return unusedOrKept(item, prefix);
			if (isEmpty(value)) {
				throw valueRequired(
					label,
					'Enter the JSON of the design, or choose "Design Template" as "Content".',
				);
			}
			const json = textOrJson(value);
			const problem = jsonProblem(json);
			if (problem !== undefined) {
				throw new InvalidInput(
					'json-invalid',
					`"${label}" is not valid JSON: ${sanitize(problem, 120)}`,
					'Copy the design from the editor of the service again, or check brackets and quotes.',
				);
			}
			const design = JSON.parse(json) as unknown;
			if (typeof design === 'object' && Object.keys(design ?? {}).length > 0) return json;
			throw new InvalidInput(
				'json-invalid',
				`"${label}" has no content: ${quote(json)}`,
				'Copy the design from the editor of the service again. If the field contains an expression, check what it returns.',
			);
		},
	};
}

type Body = 'template_json' | 'template_html';

const contents: Record<Body, string> = { template_json: 'json', template_html: 'html' };

/** Whether a stored body stands for none. */
export const isEmptyBody = (value: unknown): boolean =>
	/^\s*(?:\{\s*\}|\[\s*\]|null)\s*$/.test(textOrJson(value));

/** The stored content of a single send (40). Several contents, or a placeholder, leave open which one is sent. */
interface StoredContent {
	/** `template`, `html` or `json`; undefined if there is none, or if it is unclear. */
	chosen?: string;
	isUnclear: boolean;
	/** Labels of everything that is stored. */
	stored: string[];
}

/** Whether it is the ID of a template of the account. */
export const isBuiltIn = (id: unknown): boolean =>
	!isEmpty(id) && !['0', ownTemplate].includes(coerceText(id));

/** The content that an update keeps: the only one that is stored, or what "Stored Content" of the item says. */
export function storedContent(record: IDataObject, item?: Item): StoredContent {
	const { template_id: id, template_json: json, template_html: html } = record;
	const stored = [
		...(isBuiltIn(id) ? ['template'] : []),
		...(isEmpty(html) ? [] : ['html']),
		...(isEmpty(json) ? [] : ['json']),
	];
	const bodies: Record<string, unknown> = { json, html };
	const isUnsure = (source: string) => isEmptyBody(bodies[source]);
	const isSure = stored.length <= 1 && !stored.some(isUnsure);
	const describe = (source: string) =>
		`"${labelOfSource(source)}"${isUnsure(source) ? ' (a placeholder)' : ''}`;
	const wanted = item?.param('options.storedContent', '');
	const chosen = isSure ? stored[0] : stored.find((source) => source === wanted);
	return { chosen, isUnclear: !isSure && chosen === undefined, stored: stored.map(describe) };
}

const labelOfSource = (source: string): string =>
	Object.values(updatedContents).find((one) => one.source === source)?.label ?? '';

/** Keeps the template of a single send; with its own body, that is the blank template (38). */
export const keepTemplateId: Keep = (record, given, item) => {
	const { chosen } = storedContent(record, item);
	return chosen === 'html' || chosen === 'json'
		? ownTemplate
		: keepId('template_id')(record, given, item);
};

/**
 * Keeps a body of a single send if it is what counts, or empties it if the update gives other content (41: "when given,
 * the other is empty"). If it is unclear what counts, both are kept for the checks, and an update is refused.
 */
export function keepBody(field: Body): Keep {
	return (record, given, item) => {
		const value = record[field];
		if (given.template_id !== undefined) return isEmpty(value) ? unused(item) : '';
		const { chosen, isUnclear } = storedContent(record, item);
		if (chosen !== contents[field] && !isUnclear) return unused(item);
		const isDesign = field === 'template_json' && typeof value === 'object' && value !== null;
		if (isDesign) return toJson(value) ?? unusable;
		return isEmpty(value) ? unused(item) : keep(field)(record, given, item);
	};
}

/** The bodies of a single send that an update empties, since it gives other content. */
export const emptiedBodies = (record: IDataObject, body: Fields, kept: Fields): string[] =>
	body.template_id === undefined
		? []
		: Object.keys(contents).filter(
				(field) => kept[field] === '' && !isEmpty(record[field]) && !isEmptyBody(record[field]),
			);
