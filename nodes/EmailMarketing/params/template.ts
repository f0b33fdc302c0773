import { coerceText, isEmpty, toJson } from '../util/coerce';
import { quote, sanitize } from '../util/text';
import { keep, unusable } from './currentValue';
import type { Keep } from './currentValue';
import { InvalidInput } from './invalidInput';
import type { Item } from './item';
import { recordId } from './validators';
import type { Input } from './validators';
import { locatorValue } from './values';

/** Id of the blank template, which stands for HTML or JSON of one's own (35, 38). */
const ownTemplate = '1';

const sources = ['template', 'html', 'json'];

function chosenSource(value: unknown): string {
	const source = sources.find((known) => known === value);
	if (source !== undefined) return source;
	// Anything else would send the blank template.
	throw new InvalidInput(
		`"Content" cannot be ${quote(value)}`,
		`Choose one of: ${sources.join(', ')}.`,
	);
}

/** The fields of an update that give the email its body. */
const updatedContents: Record<string, { label: string; source: string }> = {
	templateId: { label: 'Template', source: 'template' },
	templateHtml: { label: 'HTML', source: 'html' },
	templateJson: { label: 'JSON', source: 'json' },
};

function sourceOf(item: Item, prefix: string): string {
	if (prefix === '') return chosenSource(item.param('templateSource', 'template'));
	const given = (name: string) => !isEmpty(locatorValue(item.param(`${prefix}${name}`, '')));
	const contents = Object.keys(updatedContents).filter(given);
	if (contents.length > 1) {
		const labels = contents.map((name) => `"${updatedContents[name]?.label}"`);
		throw new InvalidInput(
			`${labels.join(' and ')} cannot be set together`,
			'Keep one of them: a single send has one body.',
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

export function templateHtml(prefix = ''): Input {
	return {
		parameter: `${prefix}templateHtml`,
		required: false,
		cleared: false,
		identifies: false,
		encode(value, label, item) {
			if (sourceOf(item, prefix) !== 'html') return undefined;
			if (typeof value === 'string' && value.trim() !== '') return value;
			throw new InvalidInput(
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
		required: false,
		cleared: false,
		identifies: false,
		encode(value, label, item) {
			if (sourceOf(item, prefix) !== 'json') return undefined;
			if (isEmpty(value)) {
				throw new InvalidInput(
					`"${label}" is required but empty`,
					'Enter the JSON of the design, or choose "Design Template" as "Content".',
				);
			}
			const json = typeof value === 'object' ? (toJson(value) ?? '') : coerceText(value);
			const problem = jsonProblem(json);
			if (problem !== undefined) {
				throw new InvalidInput(
					`"${label}" is not valid JSON: ${sanitize(problem, 120)}`,
					'Copy the design from the editor of the service again, or check brackets and quotes.',
				);
			}
			return json;
		},
	};
}

type Body = 'template_json' | 'template_html';

/**
 * Keeps a body of a single send, or empties it if the update gives other content (41: "when given, the other is
 * empty"). The body of a built-in template is what the service renders from it, and is not sent back.
 */
export function keepBody(field: Body): Keep {
	return (record, given, item) => {
		if (given.template_id !== undefined) return isEmpty(record[field]) ? undefined : '';
		if (coerceText(record.template_id) !== ownTemplate) return undefined;
		if (field === 'template_html' && !isEmpty(record.template_json)) return undefined;
		const value = record[field];
		const isDesign = field === 'template_json' && typeof value === 'object' && value !== null;
		return isDesign ? (toJson(value) ?? unusable) : keep(field)(record, given, item);
	};
}
