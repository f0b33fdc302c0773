import type { IDataObject } from 'n8n-workflow';

import { endpoints } from '../../service/endpoints';
import { ServiceError, serviceErrorOf } from '../../service/failure';
import { fetchList } from '../../service/lists';
import { recordKey, recordOf } from '../../run/mergeCurrent';
import type { Draft, DraftStep, RequestPlan, Written } from '../../run/operation';
import type { RunContext } from '../../run/runContext';
import { coerceText } from '../../util/coerce';
import { isYetToCome } from './sendTime';
import { mayBeSentAgain } from './checks/singleSend';

const listBefore = async (draft: Draft): Promise<IDataObject[]> =>
	await draft.run.cachedList(draft, endpoints.singleSend.getAll);

/** Reads the single sends before the first one is duplicated. If that fails, the output of the copy says so. */
export const rememberSingleSends: DraftStep = async (draft) => {
	await listBefore(draft).catch(serviceErrorOf);
};

/** Content that a copy has from its original. */
const content = ['subject', 'preheader', 'template_id', 'sender_id', 'unsubscribe_group_id'];

/** The same for campaigns with the same content; undefined for one without any. */
function contentOf(record: IDataObject): string | undefined {
	const texts = content.map((field) => coerceText(record[field]));
	return texts.some((text) => text.trim() !== '') ? JSON.stringify(texts) : undefined;
}

const unknownCopy = {
	none: 'The UTR of the copy is unknown: no new campaign in the list resembles the original',
	several: 'The UTR of the copy is unknown: several new campaigns in the list could be the copy',
};

/** Everything with the same content. */
interface Alike {
	/** Keys of records. */
	originals: Set<string>;
	/** How many copies of them were made. */
	copies: number;
	added: IDataObject[];
}

interface Lists {
	before: readonly IDataObject[];
	after: readonly IDataObject[];
	/** Keys of records, once for each copy. */
	originals: readonly string[];
}

/**
 * The copies that duplicating these originals made: the new records with the content of their original, if no other
 * original has it. A name alone proves nothing: somebody else may have used it while the copy is not listed yet.
 *
 * @returns for each of them the UTR of the copy, or a sentence that says why it is not known
 */
export function findCopies({
	before,
	after,
	originals,
}: Lists): Array<{ utr: string } | { note: string }> {
	const known = new Set(before.map(({ utr }) => coerceText(utr)).concat(''));
	const added = after.filter(({ utr }) => !known.has(coerceText(utr)));
	const byKey = new Map(before.map((record) => [recordKey(coerceText(record.utr)), record]));
	const groups = new Map<string, Alike>();
	const alike = (record: IDataObject = {}): Alike => {
		const key = contentOf(record);
		const group = groups.get(key ?? '') ?? { originals: new Set(), copies: 0, added: [] };
		if (key !== undefined) groups.set(key, group);
		return group;
	};
	for (const original of originals) {
		const group = alike(byKey.get(original));
		group.originals.add(original);
		group.copies++;
	}
	for (const record of added) alike(record).added.push(record);
	const taken = new Map<string, number>();
	return originals.map((original) => {
		const group = alike(byKey.get(original));
		if (group.added.length === 0) return { note: unknownCopy.none };
		const position = taken.get(original) ?? 0;
		taken.set(original, position + 1);
		const copy = group.added[position];
		return group.originals.size > 1 || copy === undefined || group.added.length !== group.copies
			? { note: unknownCopy.several }
			: { utr: coerceText(copy.utr) };
	});
}

const mayBeSent =
	'The copy may be sent immediately: its send time is not certain to be in the future, or is not set. If it must not be sent, check it in the service now.';

async function copiesOf(run: RunContext, written: readonly Written[], first: Draft) {
	const before = await listBefore(first);
	const client = run.clientAfterwards(first.item);
	const after = await fetchList(client, endpoints.singleSend.getAll);
	const originals = written.map(({ draft }) => recordKey(recordOf(draft, 'utr')));
	const waiting = new Set(after.filter(isYetToCome).map(({ utr }) => utr));
	return findCopies({ before, after, originals }).map((copy, position) => {
		const { item } = (written[position] as Written).draft;
		const isExpected = 'note' in copy || waiting.has(copy.utr) || mayBeSentAgain(item);
		return isExpected ? copy : { ...copy, note: mayBeSent };
	});
}

/** The response to a duplication (39) does not name the copy, so it is found as the new record in the list. */
export const lookUpCopies: RequestPlan['complete'] = async (run, written) => {
	const [first] = written;
	if (first === undefined) return;
	const found = await copiesOf(run, written, first.draft).catch(serviceErrorOf);
	written.forEach(({ items }, position) => {
		const copy =
			found instanceof ServiceError
				? { note: `The UTR of the copy is unknown: the list could not be read. ${found.message}` }
				: found[position];
		for (const { json } of items) Object.assign(json, copy);
		if (copy && 'note' in copy && copy.note === mayBeSent) run.showHint(copy.note, 'warning');
	});
};
