import type { IDataObject } from 'n8n-workflow';

import { InvalidInput } from '../params/invalidInput';
import type { Item } from '../params/item';
import { coerceText } from '../util/coerce';
import { quote } from '../util/text';

/** Statuses of a single send that has not been sent: initiate, ready to send. */
const notSent = ['0', '1'];

const sent: Record<string, string> = { 2: 'is running', 3: 'is completed' };

/** What a single send does that has left already, or may have; undefined for one that has not been sent. */
export function sentState({ status }: IDataObject): string | undefined {
	const code = coerceText(status);
	if (notSent.includes(code)) return undefined;
	return sent[code] ?? `has an unknown status, ${quote(status)}`;
}

/**
 * What an update (41) does to a single send that has left already is not shown: it may go out again.
 *
 * @throws InvalidInput unless the user allows that
 */
export function refuseSendingAgain(record: IDataObject, item: Item): void {
	const state = sentState(record);
	if (state === undefined || item.param('options.allowSendingAgain', false) === true) return;
	throw new InvalidInput(
		`The single send ${state}: updating it may send it again`,
		'To update it anyway, turn on "Allow Sending Again" in Options. To send the campaign again on purpose, duplicate it and update the copy.',
	);
}
