import type { IDataObject } from 'n8n-workflow';

import { operationError } from '../../service/errors';
import type { RunContext } from '../../run/runContext';
import { choiceOf, numberOption } from '../../params/givenOption';
import { CONTACT_FIELDS, type ContactField } from '../contacts/fields';
import type { PlannedRow } from '../contacts/types';
import type { CsvImport } from './types';

const label = 'Import as File If More New Contacts Than';
const customFieldsLabel = 'Custom Fields of New Contacts';

/** As the option holds it. */
interface CsvLayout {
	columns?: { column?: CsvImport['columns'] };
	countryAs?: string;
}

function checkColumns(run: RunContext, columns: CsvImport['columns']): void {
	const needed: ContactField[] = ['email', 'country'];
	const missing = needed.filter((field) => !columns.some((one) => one.field === field));
	if (missing.length === 0) return;
	throw operationError(
		run.node,
		'csv-column-missing',
		`"Compatibility: CSV Format" has no column for ${missing.join(' or ')}`,
		{
			description:
				'The service requires an email and a country for new contacts. Add what is missing, or remove all columns to use the default ones.',
		},
	);
}

/**
 * The import options, with the layout of the file.
 *
 * @throws InvalidInput for an invalid number or choice, NodeOperationError if a required column is missing
 */
export function csvImportOf(run: RunContext, options: IDataObject): CsvImport | undefined {
	const above = numberOption(options, 'importAbove', label, 1);
	const { customFields: chosen } = { customFields: 'ignore', ...options };
	const customFields = choiceOf(chosen, customFieldsLabel, ['ignore', 'import', 'importOrFail']);
	if (above === undefined && customFields === 'ignore') return undefined;
	const layout = (options.csvFormat as { layout?: CsvLayout } | undefined)?.layout;
	const own = layout?.columns?.column;
	const columns = own?.length ? own : CONTACT_FIELDS.map((field) => ({ header: field, field }));
	checkColumns(run, columns);
	return {
		...{ columns, country: layout?.countryAs === 'name' ? 'name' : 'id' },
		...(customFields !== 'ignore' && { customFields }),
		above: above ?? Infinity,
	};
}

/** Above this number of single creates, a hint suggests an import. */
const worthAHint = 500;

/**
 * Suggests imports to a run that created many contacts one by one.
 *
 * @param rows the outcomes of the planned rows; those planned with custom fields were imported
 */
export function importHint(rows: readonly PlannedRow[], planned: readonly PlannedRow[]): string[] {
	const count = rows.filter(
		({ action }, index) => action === 'created' && !planned[index]?.customFields,
	).length;
	if (count <= worthAHint) return [];
	return [
		`${count} contacts were created one by one. "${label}" in Options can do the same with a few uploads.`,
	];
}

/** Warns about custom fields that were not written. */
export function customFieldWarnings(
	rows: readonly PlannedRow[],
	csvImport: CsvImport | undefined,
	when: 'dryRun' | 'run' | 'plan',
): string[] {
	const concerned = rows.filter(({ customFieldsNotWritten }) => customFieldsNotWritten);
	const created = concerned.filter(({ action }) => action === 'created').length;
	const others = concerned.length - created;
	const advice = {
		dryRun: ` The API cannot add these fields later. Before you turn off "Dry Run", add "${customFieldsLabel}" in Options.`,
		run: ` The API cannot add these fields later. Next time, add "${customFieldsLabel}" in Options before contacts are created.`,
		plan: ' The API cannot add these fields later.',
	};
	const shown = csvImport?.customFields ? '' : advice[when];
	return [
		...(created > 0 ? [`New contacts without their custom fields: ${created}.${shown}`] : []),
		...(others > 0
			? [
					`Existing contacts whose custom fields differ from the input: ${others}. The API cannot change them.`,
				]
			: []),
	];
}
