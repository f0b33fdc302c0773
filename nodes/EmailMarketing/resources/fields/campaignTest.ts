import { listOrId } from './locator';
import { allShown, showFor } from './kinds';

/** The recipients of "Send Test". */
export const campaignTest = allShown(showFor('singleSend', ['sendTest']), [
	{
		displayName:
			'Everyone on the test list who has not unsubscribed gets the email as soon as this node runs. To send it only to yourself, first create a contact type (list) that contains only your own address and has "test" in its name.',
		name: 'sendsTest',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Test List',
		name: 'testContactTypeId',
		...listOrId('searchContactTypes'),
		required: true,
		description:
			'The contact type (list) with the people who receive tests. The exclusions of the campaign do not apply; unsubscribes do.',
	},
	{
		displayName: 'Test List Name Must Contain',
		name: 'testListName',
		type: 'string',
		required: true,
		default: 'test',
		placeholder: 'e.g. test',
		description:
			'A word that the name of the test list must contain. Otherwise, nothing is sent. This keeps tests from going to a real list by mistake.',
	},
	{
		displayName: 'Max Test Recipients',
		name: 'maxTestRecipients',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 20,
		description:
			'Maximum number of contacts on the test list, at most 100. If it has more, nothing is sent.',
	},
]);
