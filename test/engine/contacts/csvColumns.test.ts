import { calls, importCsv, uploaded, uploads } from './csvFiles';
import { json, useAccount } from './support';

const test = useAccount();
const UPLOAD = '/contacts/upload-csv';

type Lines = [kept: boolean, line: string];

const optionsOf = (emailColumn: string) => (emailColumn === '' ? {} : { emailColumn });

/** Each line of a file, with whether it is uploaded; `gone@example.com` has unsubscribed. */
async function check(lines: Array<string | Lines>, emailColumn = ''): Promise<void> {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	// How the service reads such files is not known.
	const body = { status: 'success', message: 'Imported Successfully' };
	account.state.faults.add({ kind: 'status', status: 200, body, match: { path: UPLOAD } });
	const all = lines.map((line): Lines => (typeof line === 'string' ? [true, line] : line));

	const outcome = await importCsv(account, {
		files: [Buffer.from(all.map(([, line]) => line).join(''), 'latin1')],
		options: optionsOf(emailColumn),
	});

	expect(outcome.error).toBeUndefined();
	const kept = all.flatMap(([isKept, line]) => (isKept ? [line] : []));
	const heldBack = all.length - kept.length;
	expect(json(outcome)).toMatchObject([{ imported: true, heldBack }]);
	expect(uploads(account)).toEqual([uploaded(Buffer.from(kept.join(''), 'latin1'))]);
}

const held = (line: string): Lines => [false, line];

it.each<[string, Array<string | Lines>, string?]>([
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
	[
		'no address',
		['email,x\n', held('gone@example.com,\n'), ',gone@example.com\n', 'none,\n', 'a@b,\n'],
	],
	[
		'two columns with addresses',
		['email,x,Mail\n', held('a@b,,gone@example.com\n'), held('gone@example.com,,\n'), 'a@b,,\n'],
	],
	['two columns of one name', ['email,email\n', held('a@b,gone@example.com\n'), 'a@b,a@b\n']],
	[
		'the address in another column',
		['email,referrer\n', 'a@b,gone@example.com\n', held('gone@example.com,\n')],
	],
	[
		'a named column',
		['name,Login\n', 'gone@example.com,a@b\n', held('a@b,gone@example.com\n')],
		'Login',
	],
	[
		'a named column, and one that the service may read instead',
		['email,Login\n', held('gone@example.com,a@b\n'), held('a@b,gone@example.com\n'), 'a@b,a@b\n'],
		'Login',
	],
	[
		'a named column in another spelling',
		['x,"Log-in ID"\n', 'x,a@b\n', held('x,gone@example.com\n')],
		' log in id',
	],
	[
		'a named column beside one that is like it',
		['e-mail,email\n', held('gone@example.com,a@b\n'), held('a@b,gone@example.com\n'), 'a@b,a@b\n'],
		'email',
	],
])(
	'reads files with %s',
	async (_what, lines, emailColumn = '') => await check(lines, emailColumn),
);

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

it.each<[string, Array<string | Lines>]>([
	['an address', ['A,ada@example.com\n', held('B,gone@example.com\n'), 'gone@example.com,a@b\n']],
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
	'To send the file unchecked, turn off "Respect Global Unsubscribes" and remove "Respect Unsubscribe Group Names or IDs". Nothing was sent for this item.';
const unclear = 'It is unclear which column of the file "people.csv" contains the email addresses';
const nameIt = (headings: string) =>
	`The first line contains: ${headings}. Enter the name of the column in "Email Column"; if the file has no line with column names, add one.`;
const notText =
	'The file "people.csv" cannot be checked for unsubscribed addresses, because it is not UTF-8 text';
const correct = 'Correct this row, or export the file again.';

describe('import-no-column: refuses, before it sends anything,', () => {
	it.each<[string, string | Buffer, string, string, string?]>([
		['an unknown heading', 'Name,Login\na,a@b\n', unclear, nameIt('"Name", "Login"')],
		['a line for Excel before it', 'sep=;\nemail;x\na@b;c\n', unclear, nameIt('"sep=", ""')],
		['addresses in two columns of the first line', 'a@b,c@d\n', unclear, nameIt('"a@b", "c@d"')],
		['a heading with an address', 'email,a@b\n', unclear, nameIt('"email", "a@b"')],
		[
			'a long heading',
			Array.from({ length: 22 }, (_, at) => `c${at}`).join() + '\n',
			unclear,
			nameIt(`${Array.from({ length: 20 }, (_, at) => `"c${at}"`).join(', ')} and 2 more`),
		],
		[
			'a column that is not there',
			'email,x\n',
			'The file "people.csv" has no column "Mail"',
			'The first line contains: "email", "x". Enter one of these names in "Email Column".',
			'Mail',
		],
		[
			'a column that is there twice',
			'Mail,Mail\n',
			'The file "people.csv" has several columns with the name "Mail"',
			'The first line contains: "Mail", "Mail". Rename one of the columns in the file.',
			'Mail',
		],
		[
			'UTF-16',
			Buffer.from('\ufeffemail,x\na@b,c\n', 'utf16le'),
			notText,
			'Save the file as "CSV UTF-8".',
		],
		[
			'UTF-16 without its mark',
			Buffer.from('email,x\na@b,c\n', 'utf16le').swap16(),
			notText,
			'Save the file as "CSV UTF-8".',
		],
		[
			'no first line',
			'\nemail\na@b\n',
			'The first line of the file "people.csv" is empty',
			'The first line must contain the column names.',
		],
		[
			'a byte order mark alone',
			'\ufeff',
			'The first line of the file "people.csv" is empty',
			'The first line must contain the column names.',
		],
		[
			'a heading with an open quote',
			'"email,x\na@b,c\n',
			'The row that begins on line 1 of the file has a quote that is not closed',
			correct,
		],
		[
			'a heading without an end',
			'x'.repeat(2 ** 21),
			'The row that begins on line 1 of the file is longer than 1 MB',
			correct,
		],
	])('%s', async (_what, file, message, remedy, emailColumn = '') => {
		const { account } = test;
		const outcome = await importCsv(account, { files: [file], options: optionsOf(emailColumn) });
		expect(outcome.error?.message).toBe(message);
		expect(outcome.error?.description).toBe(`${remedy} ${unchecked}`);
		expect(calls(account)).toEqual([]);
	});

	it.each<[string, string, string, string]>([
		[
			'an open quote',
			'email,x\na@b,c\n\nd@e,"f\n',
			'The row that begins on line 4 of the file has a quote that is not closed',
			correct,
		],
		[
			'a row without an end',
			`email,x\na@b,"${'x'.repeat(2 ** 21)}`,
			'The row that begins on line 2 of the file has a quote that is not closed',
			correct,
		],
		[
			'a row that is too long',
			`email,x\na@b,${'x'.repeat(2 ** 21)}\n`,
			'The row that begins on line 2 of the file is longer than 1 MB',
			correct,
		],
	])('%s, which only shows once the lists are read', async (_what, file, message, remedy) => {
		const { account } = test;
		const outcome = await importCsv(account, { files: [file] });
		expect(outcome.error?.message).toBe(message);
		expect(outcome.error?.description).toBe(`${remedy} ${unchecked}`);
		expect(account.writes()).toEqual([]);
	});
});

it('sends the other files if one is refused and the node continues', async () => {
	const { account } = test;
	account.unsubscribe('gone@example.com');
	const outcome = await importCsv(account, {
		files: ['Name\nAda\n', 'email\na@b\ngone@example.com\n'],
		node: { onError: 'continueErrorOutput' },
	});
	expect(json(outcome)).toMatchObject([{ imported: true, heldBack: 1, rows: 1 }]);
	expect(outcome.failed).toMatchObject([{ json: { error: { message: `${unclear} [item 0]` } } }]);
	expect(uploads(account)).toEqual([uploaded('email\na@b\n')]);
});
