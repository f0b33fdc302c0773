import { placeholdersIn } from '../../nodes/EmailMarketing/features/campaigns/placeholders';

it.each([
	['Dear ((first_name)) ((last_name)), ((first_name))', ['first_name', 'last_name']],
	['((firstName)) (( email )) ((Größe 2))', ['firstName', ' email ', 'Größe 2']],
	['calc((100% - 2px) / 2) ((1 + 2)) (a) ((', []],
	['((<b>first_name</b>))', []],
])('finds the placeholders of %j', (text, names) => {
	expect(placeholdersIn(text)).toEqual(names);
});
