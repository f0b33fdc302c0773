import { endpoints } from '../../service/endpoints';
import type { DraftStep, Stage } from '../../run/operation';
import { ownTemplate } from '../../params/template';
import { coerceText } from '../../util/coerce';
import { notFound, refusalOf } from './checks/findings';

/** `preview_img` is required (49d): if the user gives none, it is that of the template. */
const addPreviewImage: DraftStep = async (draft) => {
	const { run, body } = draft;
	if (body.preview_img !== undefined || body.template_id === undefined) return;
	const templates = await run.cachedList(draft, endpoints.designTemplate.getAll);
	const template = templates.find(({ id }) => coerceText(id) === body.template_id);
	if (template === undefined && body.template_id !== ownTemplate) {
		throw refusalOf([notFound('template-not-found', 'Template', body.template_id)], '');
	}
	const image = template?.preview_image;
	body.preview_img = typeof image === 'string' && image !== '' ? image : undefined;
};

export const previewImage: Stage = { fills: ['preview_img'], step: addPreviewImage };
