import type { Complete } from '../transport/endpoint';
import { InvalidInput } from '../transport/inputs';
import { keptList } from '../transport/kept';
import { plainText } from '../transport/plain';

/**
 * `preview_img` is required (49d): where the user gives none, it is that of the template. The list
 * of templates is read once for all items.
 */
export const previewImage: Complete = async (context, body, _query, read) => {
	if (body.preview_img !== undefined || body.template_id === undefined) return;
	const templates = await keptList(context, read, 'designTemplates');
	const template = templates.find(({ id }) => plainText(id) === body.template_id);
	if (template === undefined) {
		throw new InvalidInput(
			`"Template" ${String(body.template_id)} does not exist`,
			'Choose a template from the list.',
		);
	}
	const image = template.preview_image;
	body.preview_img = typeof image === 'string' && image !== '' ? image : undefined;
};
