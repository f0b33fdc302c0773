import { importCsv, uploaded, uploads } from './csvFiles';
import { json, useAccount } from './support';

const test = useAccount({ csvBadRow: 'skip' });
const UPLOAD = '/contacts/upload-csv';

type Lines = [kept: boolean, line: string];

/** Each line of a file, with whether it is uploaded; `gone@example.com` has unsubscribed. */
async function check(lines: Array<string | Lines>): Promise<void> {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	// How the service reads such files is not known.
	const body = { status: 'success', message: 'Imported Successfully' };
	account.state.faults.add({ kind: 'status', status: 200, body, match: { path: UPLOAD } });
	const all = lines.map((line): Lines => (typeof line === 'string' ? [true, line] : line));

	const outcome = await importCsv(account, {
		files: [Buffer.from(all.map(([, line]) => line).join(''), 'latin1')],
	});

	expect(outcome.error).toBeUndefined();
	const kept = all.flatMap(([isKept, line]) => (isKept ? [line] : []));
	const heldBack = all.length - kept.length;
	expect(json(outcome)).toMatchObject([{ imported: true, heldBack }]);
	expect(uploads(account)).toEqual([uploaded(Buffer.from(kept.join(''), 'latin1'))]);
}

const held = (line: string): Lines => [false, line];

it.each<[string, Array<string | Lines>]>([
	['semicolons', ['Name;E-Mail\n', 'A;ada@example.com\n', held('B;gone@example.com\n')]],
	['tabs', ['Name\tE-Mail\n', 'A\tada@example.com\n', held('B\tgone@example.com\n')]],
	['pipes', ['Name|E-Mail\n', 'A|ada@example.com\n', held('B|gone@example.com\n')]],
	['other separators in quotes', ['"a;b;c;d",email\n', held('x,gone@example.com\n'), 'x,a@b\n']],
	['one column', ['email\n', held('gone@example.com\n'), 'ada@example.com\n']],
	['CRLF', ['email,x\r\n', held('gone@example.com,\r\n'), 'ada@example.com,\r\n']],
	['CR', ['email,x\r', held('gone@example.com,\r'), 'ada@example.com,\r']],
	['no line end at the end', ['email,x\n', 'ada@example.com,\n', held('gone@example.com,')]],
	['a byte order mark', ['\xef\xbb\xbf"email",x\n', held('gone@example.com,\n'), 'a@b,\n']],
	[
		'one byte a letter',
		['Pr\xe9nom,Correo Electr\xf3nico\n', held('Zo\xeb,gone@example.com\n'), 'Zo\xeb,a@b\n'],
	],
	['empty lines', ['email,x\n', '\n', held('gone@example.com,\n'), '  \n', 'a@b,\n', '\n']],
	['line ends in quotes', ['email,x\n', held('gone@example.com,"a\n\nb"\n'), 'a@b,"gone\n@"\n']],
	['doubled quotes', ['x,email\n', held('"a ""b"", c",gone@example.com\n'), '"""",a@b\n']],
	[
		'spaces around',
		['x , email \n', held('a,  GONE@Example.com \n'), held('a," gone@example.com"\n'), 'a,a@b\n'],
	],
	[
		'several addresses',
		['email,x\n', held('"a@b, gone@example.com",\n'), 'a@b,\n', held('a@b; gone@example.com,\n')],
	],
	[
		'names',
		[
			'email,x\n',
			held('Gone <gone@example.com>,\n'),
			held('"""Gone, A."" <gone@example.com>",\n'),
			'A <a@b>,\n',
		],
	],
	['a dot at the end', ['email,x\n', held('gone@example.com.,\n'), 'a@b.,\n']],
	['links', ['email,x\n', held('mailto:gone@example.com,\n'), 'mailto:a@b,\n']],
	['no address', ['email,x\n', held('gone@example.com,\n'), ',\n', 'none,\n', 'a@b,\n']],
	[
		'two columns with addresses',
		['email,x,Mail\n', held('a@b,,gone@example.com\n'), held('gone@example.com,,\n'), 'a@b,,\n'],
	],
	['two columns of one name', ['email,email\n', held('a@b,gone@example.com\n'), 'a@b,a@b\n']],
	[
		'the address in another column',
		['email,referrer\n', held('a@b,gone@example.com\n'), held('gone@example.com,\n'), 'a@b,\n'],
	],
	['an unknown heading', ['Name,Login\n', held('a,gone@example.com\n'), 'a,a@b\n']],
	['a line for Excel before it', ['sep=;\n', 'email;x\n', held('gone@example.com;c\n'), 'a@b;c\n']],
	['a heading with an address', ['email,a@b\n', held('gone@example.com,a@b\n'), 'a@b,a@b\n']],
	['an empty first line', ['\n', 'email\n', held('gone@example.com\n'), 'a@b\n']],
])('import-any-column: checks files with %s', async (_what, lines) => await check(lines));

it.each<[string, Array<string | Lines>]>([
	[
		'fewer columns',
		['x,y,email\n', held('gone@example.com\n'), held('x,gone@example.com\n'), 'x,a@b\n', 'x\n'],
	],
	['more columns', ['email,x\n', held('a,b,gone@example.com\n'), 'a,b,a@b\n']],
	['stray quotes', ['email,x\n', held('a"b,gone@example.com\n'), 'a"b,a@b\n']],
	[
		'a backslash before a quote',
		['x,email\n', held('"a \\", b",gone@example.com\n'), '"a \\", b",a@b\n'],
	],
	['a CR in a file with LF', ['x,y,email\n', held('1,A\rB,gone@example.com\n'), '1,A\rB,a@b\n']],
])('looks into all cells of rows with %s', async (_what, lines) => await check(lines));

it.each([
	['an apostrophe', "o'brien@example.com", 'o\x92brien@example.com'],
	['another letter', '\u0161ime@example.com', '\x9aime@example.com'],
])('reads addresses in Windows-1252 with %s', async (_what, email, written) => {
	test.account.unsubscribe(email);
	await check(['email,x\n', held(`${written},\xe9\n`), 'a@b,\x93\n']);
});

it.each<[string, Array<string | Lines>]>([
	['an address', ['A,ada@example.com\n', held('B,gone@example.com\n'), 'B,a@b\n']],
	[
		'the address of somebody who unsubscribed',
		[held('B,gone@example.com\n'), 'A,ada@example.com\n'],
	],
	['a name and an address', ['A;"A" <ada@example.com>\n', held('B;gone@example.com\n')]],
])(
	'reads files without a heading whose first line contains %s',
	async (_what, lines) => await check(lines),
);

const unchecked =
	'To send the file unchecked, turn off "Respect Global Unsubscribes", and remove "Respect Unsubscribe Group Names or IDs" and "Never Add". Nothing was changed for this item.';
const notText =
	'The file "people.csv" cannot be checked for unsubscribed addresses, because its encoding, such as UTF-16, is not supported';
const saveAs = 'Save the file as "CSV UTF-8".';
const correct = 'Correct this row, or export the file again.';

it.each<[string, string | Buffer, string, string]>([
	['UTF-16', Buffer.from('\ufeffemail,x\na@b,c\n', 'utf16le'), notText, saveAs],
	['UTF-16 without its mark', Buffer.from('email,x\na@b,c\n', 'utf16le').swap16(), notText, saveAs],
	[
		'an open quote in the heading',
		'"email,x\na@b,c\n',
		'The row that begins on line 1 of the file has an unclosed quote',
		correct,
	],
	[
		'an open quote',
		'email,x\na@b,c\n\nd@e,"f\n',
		'The row that begins on line 4 of the file has an unclosed quote',
		correct,
	],
	[
		'an open quote that the quote of a later cell closes',
		'email,x\na@b,"c\nd@e,"f"\n',
		'The row that begins on line 2 of the file has an unclosed quote',
		correct,
	],
	[
		'a row without an end',
		`email,x\na@b,"${'x'.repeat(2 ** 21)}`,
		'The row that begins on line 2 of the file has an unclosed quote',
		correct,
	],
	[
		'a row that is too long',
		`email,x\na@b,${'x'.repeat(2 ** 21)}\n`,
		'The row that begins on line 2 of the file is longer than 1 MB',
		correct,
	],
])('refuses %s, and sends nothing', async (_what, file, message, remedy) => {
	const { account } = test;
	const outcome = await importCsv(account, { files: [file] });
	expect(outcome.error?.message).toBe(message);
	expect(outcome.error?.description).toBe(`${remedy} ${unchecked}`);
	expect(account.writes()).toEqual([]);
});

it('sends the other files if one is refused and the node continues', async () => {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	const outcome = await importCsv(account, {
		files: ['email\n"a@b\n', 'email\na@b\ngone@example.com\n'],
		node: { onError: 'continueErrorOutput' },
	});
	expect(json(outcome)).toMatchObject([{ imported: true, heldBack: 1, rows: 1 }]);
	const message = 'The row that begins on line 2 of the file has an unclosed quote [item 0]';
	expect(outcome.failed).toMatchObject([{ json: { error: { message } } }]);
	expect(uploads(account)).toEqual([uploaded('email\na@b\n')]);
});
