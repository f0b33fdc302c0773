import type { Conflict } from '../endpoint.ts';
import { label } from '../params.ts';
import { invalid, type Reply } from '../replies.ts';
import type { Recipient } from '../model.ts';
import type { Settings } from '../settings.ts';
import type { Table, Tables } from '../store.ts';

export function recipientExists(tables: Tables, { id, table }: Recipient): boolean {
	const audience = table === 'contacts_' ? tables.contactTypes : tables.segments;
	return audience.get(Number(id)) !== undefined;
}

/** What the strIds of #43 and #49b identify is not shown: an id, a utr or either, as settings.bulkIds says. */
export function byReference<R extends { id: number }>(
	table: Table<R>,
	reference: string,
	{ bulkIds }: Settings,
): R | undefined {
	const byId =
		bulkIds !== 'utr' && /^\d+$/.test(reference) ? table.get(Number(reference)) : undefined;
	return byId ?? (bulkIds === 'id' ? undefined : table.byUtr(reference));
}

interface Content {
	template_id: number;
	template_json: string | null | undefined;
	template_html: string | null | undefined;
}

/** #38, #41 and #49d: when one form of a custom template is given, the other is empty. */
export const twoTemplates = ({ template_json, template_html }: Content): Conflict | null =>
	template_json && template_html
		? {
				field: 'template_html',
				words: 'The template html must be empty when template json is given.',
				rule: 'two-templates',
			}
		: null;

/** #38 and #41: "send 1 to supply a custom template". */
export const customOfAnother = (content: Content): Conflict | null =>
	(content.template_json || content.template_html) && content.template_id !== 1
		? {
				field: 'template_id',
				words: 'The template id must be 1 when a custom template is given.',
				rule: 'custom-template',
			}
		: null;

/** #38, #41 and #49d: whether the unused form has to be there, empty, is not shown. */
export function refuseMissingForm(
	content: Pick<Content, 'template_json' | 'template_html'>,
	{ unusedBody }: Settings,
): Reply | null {
	const forms = ['template_json', 'template_html'] as const;
	const left = forms.filter((name) => content[name] === undefined);
	if (unusedBody !== 'empty' || left.length === 0) return null;
	return invalid(
		Object.fromEntries(left.map((name) => [name, [`The ${label(name)} field must be present.`]])),
	);
}
