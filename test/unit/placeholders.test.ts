import {
	checkUnsubscribeLink,
	foreignPlaceholdersIn,
	placeholdersIn,
} from '../../nodes/EmailMarketing/features/campaigns/checks/placeholders';

it.each([
	['Dear ((first_name)) ((last_name)), ((first_name))', ['first_name', 'last_name']],
	['((firstName)) (( email )) ((Größe 2))', ['firstName', ' email ', 'Größe 2']],
	['calc((100% - 2px) / 2) ((1 + 2)) (a) ((', []],
	['((<b>first_name</b>))', []],
])('finds the placeholders of %j', (text, names) => {
	expect(placeholdersIn(text)).toEqual(names);
});

it.each([
	['Hi {{first_name}}, {{{ name }}}', ['{{first_name}}', '{{{ name }}']],
	['Hi *|FNAME|* and *|MC:SUBJECT|*', ['*|FNAME|*', '*|MC:SUBJECT|*']],
	['{{\r\n  $json.intro\n}}', ['{{\r\n  $json.intro\n}}']],
	['{{ a.map(b => { return `${b}` }) }}', ['{{ a.map(b => { return `${b}` }) }}']],
	[`{{ ${'a'.repeat(9000)} }}`, [`{{ ${'a'.repeat(9000)} }}`]],
	['Hi {{ *|FNAME|*, %FIRSTNAME%', ['*|FNAME|*', '%FIRSTNAME%']],
	['@media x{a{b:c}} {{ @media y{a{b:c}', []],
	['{"a":{"b":[{"c":{"d":"@media x{a{b:c}}"}}]}}', []],
	['Hi %FIRSTNAME%, %%first_name%%', ['%FIRSTNAME%']],
	['Hi %recipient.first_name%', ['%recipient.first_name%']],
	['Hi ${name} ${user.name}', ['${name}', '${user.name}']],
	['Hi [first_name] [Last Name] [FNAME]', ['[first_name]', '[Last Name]', '[FNAME]']],
	['[Test] [Newsletter] ((first_name)), 20% off, 100%', []],
	['td[first_name]{width:50%}@media a{b{height:100%}} <!--[if mso]>', []],
	['https://example.com/?q=%C3%A4%20%DEF%20', []],
])('finds the placeholders of other services in %j', (text, names) => {
	expect(foreignPlaceholdersIn(text)).toEqual(names);
});

it('reads a text of nothing but braces in no time', () => {
	const start = performance.now();
	for (const one of ['{', '}', '{{ ', '{}']) foreignPlaceholdersIn(one.repeat(500_000));
	expect(performance.now() - start).toBeLessThan(3000);
});

it.each([
	['<p>Hello</p>', 1],
	['<a href="((unsubscribe_preferences))">Settings</a>', 0],
	['<a href="https://example.com/x">Unsubscribe</a>', 0],
	['<a href="https://example.com/x">Newsletter abbestellen</a>', 0],
	['', 0],
	[null, 0],
])('knows whether %j lets readers unsubscribe', (html, findings) => {
	expect(checkUnsubscribeLink(html)).toHaveLength(findings);
});
