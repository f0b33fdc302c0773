import type { INodePropertyMode, INodePropertyModeTypeOptions } from 'n8n-workflow';

interface Locator {
	modes: INodePropertyMode[];
}

const searched = (searchListMethod: string): INodePropertyModeTypeOptions => ({
	searchListMethod,
	searchable: true,
});

/** Modes of a locator for records with a numeric ID. */
export function listOrId(searchListMethod: string): INodePropertyMode[] {
	const locator: Locator = {
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: searched(searchListMethod),
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 42',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^[1-9][0-9]*$',
							errorMessage: 'An ID consists of digits, such as 42',
						},
					},
				],
			},
		],
	};
	return locator.modes;
}

/** Modes of a locator for countries, which people also know by name or code. */
export function listOrName(searchListMethod: string): INodePropertyMode[] {
	const [list] = listOrId(searchListMethod);
	const locator: Locator = {
		modes: [
			{
				displayName: 'By Name, Code or ID',
				name: 'name',
				type: 'string',
				placeholder: 'e.g. Germany or DE',
			},
		],
	};
	return [...(list ? [list] : []), ...locator.modes];
}

/** Modes of a locator for records of people: they are also found by their email address. */
export function listEmailOrId(searchListMethod: string): INodePropertyMode[] {
	const [list, ...rest] = listOrId(searchListMethod);
	const locator: Locator = {
		modes: [
			{
				displayName: 'By Email',
				name: 'email',
				type: 'string',
				placeholder: 'e.g. name@example.com',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^\\s*[^@\\s]+@[^@\\s]+\\s*$',
							errorMessage: 'An email address looks like name@example.com',
						},
					},
				],
			},
		],
	};
	return [...(list ? [list] : []), ...locator.modes, ...rest];
}

/** Modes of a locator for single sends, automations and their schedules. */
export function listOrUtr(searchListMethod: string): INodePropertyMode[] {
	const locator: Locator = {
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: searched(searchListMethod),
			},
			{
				displayName: 'By UTR',
				name: 'utr',
				type: 'string',
				placeholder: 'e.g. 0d6f7c3e-6a34-4d7c-9a54-1b1f0c6c2d11',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^[A-Za-z0-9_-]+$',
							errorMessage: 'A UTR consists of letters, digits and dashes',
						},
					},
				],
			},
		],
	};
	return locator.modes;
}

/** Modes of a locator for a contact type or a segment as audience. */
export function listOrTarget(searchListMethod: string): INodePropertyMode[] {
	const locator: Locator = {
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: searched(searchListMethod),
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. contacts_3 or segments_8',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: '^(contacts|segments)_[1-9][0-9]*$',
							errorMessage:
								'Enter an ID such as contacts_3 for a contact type or segments_8 for a segment',
						},
					},
				],
			},
		],
	};
	return locator.modes;
}
