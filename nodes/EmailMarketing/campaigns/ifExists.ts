import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { preparedFor } from '../engine/prepare';
import type { Became } from '../engine/prepare';
import type { Enrich } from '../engine/operation';
import { InvalidInput } from '../params/validators';
import { cachedList } from '../engine/cachedList';
import { coerceNumber, coerceText } from '../util/coerce';
import { quote } from '../util/text';

const refuse = (name: string, where: string): InvalidInput =>
	new InvalidInput(
		`A single send named ${quote(name)} ${where}`,
		'Give it another name, or choose in Options under "If a Single Send With This Name Exists" what is to happen.',
	);

const standIn = (name: string, utr: unknown): INodeExecutionData[] => [
	{
		json: {
			created: false,
			utr,
			single_send_name: name,
			message: 'A single send with this name exists: nothing was created',
		} as IDataObject,
	},
];

/** The newest single send of this name. */
function named(sends: IDataObject[], name: string): IDataObject | undefined {
	return sends
		.filter((send) => coerceText(send.single_send_name).trim() === name)
		.sort((a, b) => coerceNumber(b.id) - coerceNumber(a.id))[0];
}

/**
 * "If a Single Send With This Name Exists" (38). The list (37) is read once. Items of one run that
 * have the same name take turns: each waits for what became of the one before it.
 */
export const ifExists: Enrich = async (context, body, _query, read) => {
	const choice = context.getNodeParameter('options.ifExists', 'create');
	const request = preparedFor(context);
	if (choice === 'create' || request === undefined) return;
	const name = String(body.single_send_name).trim();
	const turns = request.run.keep('names of single sends', () => new Map<string, Promise<Became>>());
	const earlier = turns.get(name);
	// In the order of the items, since nothing has been waited for yet.
	turns.set(name, new Promise<Became>((resolve) => (request.settled = resolve)));

	const existing = named(await cachedList(context, read, 'singleSends'), name);
	if (choice !== 'return') {
		if (existing !== undefined) throw refuse(name, 'exists already');
		if (earlier !== undefined && !context.continueOnFail()) {
			throw refuse(name, 'is made by an earlier item already');
		}
	}
	if (existing !== undefined) {
		request.instead = standIn(name, existing.utr);
		return;
	}
	if (earlier === undefined) return;
	request.before = async () => {
		const became = await earlier;
		if (became === 'unknown')
			throw refuse(name, 'may have been made by an earlier item: its answer was lost');
		if (became === 'not made') return undefined;
		if (choice !== 'return') throw refuse(name, 'was made by an earlier item');
		return standIn(name, became[0]?.json.utr);
	};
};
