import type { IDataObject } from 'n8n-workflow';

import { InvalidInput, valueRequired } from '../../params/invalidInput';
import { expressionsIn, mayDependOnItem } from '../../params/expression';
import { entriesOf } from '../../params/values';
import type { RunContext } from '../../run/runContext';
import { knownAddress } from '../../util/addressesIn';
import { coerceText } from '../../util/coerce';
import { addressKey } from '../../util/email';
import { quote } from '../../util/text';
import { isTombstone, tombstoneOf, tombstonePrefix } from './tombstone';
import type { Suppressions } from './types';

const label = 'Never Add';
const path = 'options.neverAdd.list';

/** As the workflow has it. */
interface Given {
	neverAdd?: { list?: IDataObject };
}

/** The list is evaluated once for all items, so nothing in it may depend on an item. */
function refuseOfItem({ hasSeveralItems }: RunContext, raw: unknown): void {
	if (!hasSeveralItems || !expressionsIn(raw).some(mayDependOnItem)) return;
	throw new InvalidInput(
		'unsubscribe-lists-differ',
		`"${label}" is one list for all items, but its expression may depend on the item`,
		"Refer to all items of a node, such as {{ $('Erased People').all().map(row => row.json.tombstone) }}.",
	);
}

/** @throws InvalidInput */
function entriesOfRun(run: RunContext, raw: unknown): string[] {
	refuseOfItem(run, raw);
	const value = run.param(`${path}.entries`, '');
	if (Array.isArray(value)) return entriesOf(value, label);
	const entries = entriesIn(value, raw);
	if (entries.length > 0) return entries;
	throw valueRequired(
		label,
		'Enter addresses or tombstones, or remove the option. If it contains an expression, it returned nothing; an empty array is allowed.',
	);
}

/** A text that is one expression. */
const ONE_EXPRESSION = /^=\s*\{\{(?:(?!\}\}).)*\}\}\s*$/s;

/**
 * The entries in a text. Where an expression is only a part of the text, an empty entry is a value that it did not return;
 * otherwise, it comes from a line break and the like.
 */
function entriesIn(value: unknown, raw: unknown): string[] {
	const text = coerceText(raw);
	const isMixed = text.startsWith('=') && !ONE_EXPRESSION.test(text);
	const entries = entriesOf(isMixed ? withoutEnd(value, text) : value, label);
	return isMixed ? entries : entries.filter((entry) => entry !== '');
}

/** Without the spaces and line breaks behind the last expression. */
function withoutEnd(value: unknown, raw: string): unknown {
	const [end = ''] = /\s*$/.exec(raw) ?? [];
	return typeof value === 'string' && value.endsWith(end)
		? value.slice(0, value.length - end.length)
		: value;
}

/**
 * The people of the option "Never Add"; none if it has not been added.
 *
 * @throws InvalidInput for an entry that could be anybody
 */
export function neverAddOf(run: RunContext): Suppressions | undefined {
	const { neverAdd: given } = (run.node.parameters.options ?? {}) as Given;
	if (given === undefined) return undefined;
	const secret = coerceText(run.param(`${path}.tombstoneKey`, ''));
	const prefix = tombstonePrefix(secret);
	const addresses = new Set<string>();
	const tombstones = new Set<string>();
	entriesOfRun(run, given.list?.entries).forEach((entry, index) => {
		const address = knownAddress(entry);
		if (address !== undefined) addresses.add(addressKey(address));
		else tombstones.add(tombstoneIn(entry, index, secret, prefix));
	});
	return {
		get(key) {
			if (addresses.has(key)) return { reason: 'on the Never Add list' };
			// Most cells of a file are no addresses, and hashing is the slowest step.
			if (tombstones.size === 0 || !key.includes('@')) return undefined;
			if (!tombstones.has(tombstoneOf(key, secret, prefix))) return undefined;
			return { reason: 'on the Never Add list as a tombstone' };
		},
	};
}

/** @throws InvalidInput for an entry that is neither, or was made with another key */
function tombstoneIn(entry: string, index: number, secret: string, prefix: string): string {
	if (!isTombstone(entry)) {
		throw new InvalidInput(
			'value-invalid',
			`Entry ${index + 1} of "${label}" is neither an email address nor a tombstone: ${quote(entry)}`,
			'Correct the entry. If it is empty, the expression returned nothing for it.',
		);
	}
	if (secret === '') {
		throw valueRequired(
			'Tombstone Key',
			`"${label}" contains tombstones. Enter the key that was used to create them in Person: Erase.`,
		);
	}
	const tombstone = entry.toLowerCase();
	if (tombstone.startsWith(prefix)) return tombstone;
	throw new InvalidInput(
		'value-invalid',
		`Entry ${index + 1} of "${label}" was created with a key other than "Tombstone Key"`,
		'Enter the key that was used to create the tombstones in Person: Erase.',
	);
}
