import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../../service/client';
import { endpoints } from '../../../service/endpoints';
import { fetchList } from '../../../service/lists';
import { readParameters } from '../../../run/parse';
import { InvalidInput } from '../../../params/invalidInput';
import type { Item } from '../../../params/item';
import { recordId, text } from '../../../params/validators';
import { records } from '../../../records/records';
import { coerceNumber, coerceText } from '../../../util/coerce';
import { quote } from '../../../util/text';
import { contactAddresses } from '../checks/audience';
import { nameOf, withId } from '../checks/findings';
import type { ListReader } from '../checks/findings';

/** A test never reaches more contacts, whatever limit is entered. */
const hardLimit = 100;

/** The contact type to send a test to, and the limits that the user has set for it. */
export interface TestList {
	id: string;
	/** What its name must contain. */
	marker: string;
	/** The maximum number of its contacts. */
	limit: number;
}

/** @throws InvalidInput */
export function testListOf(item: Item): TestList {
	const { id, marker } = readParameters(item, {
		id: recordId('testContactTypeId', { label: 'Test List' }),
		marker: { ...text('testListName', { required: true }), label: 'Test List Name Must Contain' },
	});
	const given = item.param('maxTestRecipients', 20);
	const limit = coerceNumber(given);
	if (!Number.isInteger(limit) || limit < 1 || limit > hardLimit) {
		throw new InvalidInput(
			'test-limit-invalid',
			`"Max Test Recipients" must be a whole number from 1 to ${hardLimit}, but it is ${quote(given)}`,
			'Enter a valid number.',
		);
	}
	return { id: String(id), marker: String(marker), limit };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a name has the words of the marker, next to each other: "Latest customers" has no word "test". */
export function hasMarker(name: string, marker: string): boolean {
	const wanted = wordsOf(marker).join(' ');
	return wanted !== '' && ` ${wordsOf(name).join(' ')} `.includes(` ${wanted} `);
}

/**
 * Makes sure that the contact type is a test list, and not a real list chosen by mistake.
 *
 * @throws InvalidInput
 */
export async function checkTestList({ id, marker, limit }: TestList, lists: ListReader) {
	const contactType = withId(await lists.records(endpoints.contactType.getAll), id);
	if (contactType === undefined) {
		throw new InvalidInput(
			'test-list-not-found',
			`"Test List" does not exist: ${id}`,
			'Choose it from the list.',
		);
	}
	if (!hasMarker(coerceText(contactType.name), marker)) {
		throw new InvalidInput(
			'test-list-not-marked',
			`"Test List" may be a real list: its name ${nameOf(contactType, records.contactType)} does not contain the word ${quote(marker)}`,
			'Choose a contact type that is meant for tests, or change "Test List Name Must Contain".',
		);
	}
	refuseSize(coerceNumber(contactType.contacts_count), limit);
}

function refuseSize(count: number, limit: number): void {
	if (count > limit) {
		throw new InvalidInput(
			'test-list-too-large',
			`"Test List" has ${count} contacts, but at most ${limit} may receive a test`,
			`Remove contacts from the list, or increase "Max Test Recipients" (at most ${hardLimit}).`,
		);
	}
}

/**
 * The addresses on the test list, as they are now.
 *
 * @throws InvalidInput if there are none, or too many
 * @throws ServiceError
 */
export async function readTestList(client: Client, { id, limit }: TestList): Promise<string[]> {
	const contacts: IDataObject[] = await fetchList(client, endpoints.contact.getAll);
	const addresses = contactAddresses(contacts, id);
	if (addresses.length === 0) {
		throw new InvalidInput(
			'test-list-empty',
			'"Test List" has no contacts',
			'Add the people who receive your tests.',
		);
	}
	refuseSize(addresses.length, limit);
	return [...new Set(addresses)].sort();
}

/** @throws InvalidInput if the list is not what was checked */
export function refuseChange(before: string[], after: string[]): void {
	if (before.join('\n') === after.join('\n')) return;
	throw new InvalidInput(
		'test-list-changed',
		'"Test List" changed while the test was being checked',
		'Run the node again when nobody is changing the list.',
	);
}
