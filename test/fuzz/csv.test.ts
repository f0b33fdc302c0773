import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import './operations';
import { json, text } from './arbitraries';
import { expectEqual } from './equal';
import { fuzz } from './fuzz';
import { useService, type Golden } from './service';
import { expectNoKeys } from './words';

const service = useService();

const columns = ['email', 'first_name', 'city', 'alt_email'] as const;

interface Case {
	contacts: Array<Record<string, unknown>>;
	custom: Array<[name: string, value: unknown]>;
	isForSpreadsheets: boolean;
}

const cell = fc.oneof({ arbitrary: text, weight: 2 }, json);

const cases: fc.Arbitrary<Case> = fc.record({
	contacts: fc.array(
		fc.record(Object.fromEntries(columns.map((name) => [name, cell])), { requiredKeys: [] }),
		{ maxLength: 5 },
	),
	custom: fc.uniqueArray(fc.tuple(text, cell), { maxLength: 3, selector: ([name]) => name.trim() }),
	isForSpreadsheets: fc.boolean(),
});

/** What a spreadsheet is to show for a value. */
function shown(value: unknown, isSafe: boolean): string {
	if (value === undefined || value === null) return '';
	const plain = typeof value === 'object' ? JSON.stringify(value) : String(value as string);
	if (!isSafe || typeof value === 'number') return Buffer.from(plain).toString();
	const started = /^[=+\-@＝＋－＠\t\r\n]/.test(plain) ? `'${plain}` : plain;
	return Buffer.from(started.replace(/(?<=[;\t\r\n])(?="*[=+\-@＝＋－＠])/g, "'")).toString();
}

const customColumns = (custom: Case['custom']): string[] =>
	custom.map(([name], at) => `custom_field_${name.trim() || `field_${at}`}`);

async function check({ contacts, custom, isForSpreadsheets }: Case): Promise<void> {
	const golden = service.golden.find(({ name }) => name === 'contact exportCsv') as Golden;
	const fields = custom.map(([field_name, field_value]) => ({ field_name, field_value }));
	const rows = contacts.map((contact, index) => ({
		...contact,
		id: index + 1,
		custom_field: Object.fromEntries(fields.map((field, at) => [`field_${at}`, field])),
	}));
	const body = JSON.stringify({ status: 'success', message: { contacts: rows } });
	service.answerAs(golden, () => ({ body }));
	const options = { columns, forSpreadsheets: isForSpreadsheets } as unknown as IDataObject;

	const outcome = await service.run({ ...golden.parameters, options }, [golden.item]);

	service.recorder.take();
	expectNoKeys(outcome);
	expectEqual(outcome.error, undefined);
	expectEqual(
		outcome.items.map((item) => item.json.contacts),
		[contacts.length],
	);
	const file = Buffer.from(outcome.items[0]?.binary?.data?.data ?? '', 'base64').toString();
	expectEqual(file.startsWith('\ufeff'), isForSpreadsheets);
	const names = contacts.length === 0 ? [] : customColumns(custom);
	const wanted = [
		[...columns, ...names],
		...contacts.map((contact) => [
			...columns.map((name) => contact[name]),
			...custom.map(([, value]) => value),
		]),
	];
	// What is written to JSON and back is what the service answered: -0 is 0 then.
	const table = JSON.parse(JSON.stringify(wanted)) as unknown[][];
	expectEqual(
		parse(file, { record_delimiter: '\r\n', bom: isForSpreadsheets }),
		table.map((line) => line.map((value) => shown(value, isForSpreadsheets))),
	);
}

fuzz('csv', cases, check);
