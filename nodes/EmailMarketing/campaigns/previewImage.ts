import type { Enrich } from '../engine/operation';
import { InvalidInput } from '../params/validators';
import { cachedList } from '../engine/cachedList';
import { coerceText } from '../util/coerce';

/**
 * `preview_img` is required (49d): where the user gives none, it is that of the template. The list
 * of templates is read once for all items.
 */
export const previewImage: Enrich = async (context, body, _query, read) => {
	if (body.preview_img !== undefined || body.template_id === undefined) return;
	const templates = await cachedList(context, read, 'designTemplates');
	const template = templates.find(({ id }) => coerceText(id) === body.template_id);
	if (template === undefined) {
		throw new InvalidInput(
			`"Template" ${String(body.template_id)} does not exist`,
			'Choose a template from the list.',
		);
	}
	const image = template.preview_image;
	body.preview_img = typeof image === 'string' && image !== '' ? image : undefined;
};
