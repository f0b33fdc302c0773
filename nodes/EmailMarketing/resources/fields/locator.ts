import type { INodeProperties, INodePropertyMode } from 'n8n-workflow';

/** A mode in which the key is entered; what does not match is marked in the editor. */
interface Entered {
	displayName: string;
	name: string;
	placeholder: string;
	hint?: string;
	regex?: string;
	errorMessage?: string;
}

const byId: Entered = {
	displayName: 'By ID',
	name: 'id',
	placeholder: 'e.g. 42',
	regex: '^[1-9][0-9]*$',
	errorMessage: 'An ID consists of digits, such as 42',
};

const byEmail: Entered = {
	displayName: 'By Email',
	name: 'email',
	placeholder: 'e.g. name@example.com',
	regex: '^\\s*[^@\\s]+@[^@\\s]+\\s*$',
	errorMessage: 'An email address looks like name@example.com',
};

const byName: Entered = {
	displayName: 'By Name, Code or ID',
	name: 'name',
	placeholder: 'e.g. Germany or DE',
};

const byZone: Entered = {
	displayName: 'By Name',
	name: 'name',
	placeholder: 'e.g. Europe/Berlin',
};

const byUtr: Entered = {
	displayName: 'By UTR',
	name: 'utr',
	hint: 'The field "utr" of the record, not its "id"',
	placeholder: 'e.g. 0d6f7c3e-6a34-4d7c-9a54-1b1f0c6c2d11',
	regex: '^[A-Za-z0-9_-]+$',
	errorMessage: 'A UTR consists of letters, digits and dashes',
};

const byTarget: Entered = {
	...byId,
	placeholder: 'e.g. contacts_3 or segments_8',
	regex: '^(contacts|segments)_[1-9][0-9]*$',
	errorMessage: 'Enter an ID such as contacts_3 for a contact type or segments_8 for a segment',
};

/**
 * How one record is chosen: from a list, or by what is entered in the other modes.
 *
 * @param list may have a placeholder in place of "Choose..."
 */
const listOr =
	(...others: Entered[]) =>
	(
		searchListMethod: string,
		list: Pick<INodePropertyMode, 'placeholder'> = {},
	): Pick<INodeProperties, 'type' | 'default' | 'modes'> => ({
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				...list,
				typeOptions: { searchListMethod, searchable: true },
			},
			...others.map(({ regex, errorMessage, ...mode }): INodePropertyMode => {
				const validation = [{ type: 'regex', properties: { regex, errorMessage } }];
				return { ...mode, type: 'string', ...(regex && { validation }) } as INodePropertyMode;
			}),
		],
	});

/** For records with a numeric ID. */
export const listOrId = listOr(byId);

/** For countries, which people also know by name or code. */
export const listOrName = listOr(byName);

/** For time zones. */
export const listOrZone = listOr(byZone);

/** For records of people: they are also found by their email address. */
export const listEmailOrId = listOr(byEmail, byId);

/** For single sends, automations and their schedules. */
export const listOrUtr = listOr(byUtr);

/** For a contact type or a segment as audience. */
export const listOrTarget = listOr(byTarget);
