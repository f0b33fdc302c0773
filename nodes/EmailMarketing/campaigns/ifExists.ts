import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../api/endpoints';
import type { Draft } from '../engine/operation';
import { resolveExisting } from '../engine/resolveExisting';
import { InvalidInput } from '../params/invalidInput';
import { coerceNumber, coerceText } from '../util/coerce';
import { quote } from '../util/text';

const refuse = (name: string, where: string): InvalidInput =>
	new InvalidInput(
		`A single send named ${quote(name)} ${where}`,
		'Give it another name, or choose in Options under "If a Single Send With This Name Exists" what is to happen.',
	);

/** The newest single send of this name. */
function named(sends: IDataObject[], name: string): IDataObject | undefined {
	return sends
		.filter((send) => coerceText(send.single_send_name).trim() === name)
		.sort((a, b) => coerceNumber(b.id) - coerceNumber(a.id))[0];
}

const nameOf = ({ body }: Draft): string => String(body.single_send_name).trim();

/** "If a Single Send With This Name Exists" (38), from one read of the list (37). */
export const ifExists = resolveExisting({
	parameter: {
		path: 'options.ifExists',
		label: 'If a Single Send With This Name Exists',
		default: 'create',
		values: ['create', 'fail', 'return'],
	},
	key: nameOf,
	find: async (draft) =>
		named(await draft.run.cachedList(draft, endpoints.singleSend.getAll), nameOf(draft)),
	existing: ({ utr }, draft) => ({
		created: false,
		utr,
		single_send_name: nameOf(draft),
		message: 'A single send with this name exists: nothing was created',
	}),
	refusal: (draft, where) => refuse(nameOf(draft), where),
});
