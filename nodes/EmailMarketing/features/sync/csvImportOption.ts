import { NodeOperationError } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';

import type { RunContext } from '../../run/runContext';
import { numberOption } from '../../params/numberOption';
import { CONTACT_FIELDS, type ContactField } from '../contacts/fields';
import type { CsvImport } from './syncOptions';

function layoutOf(run: RunContext, above: number): CsvImport {
	const layout = run.param('compatibility', {}) as IDataObject;
	const chosen = (layout.csvColumns as { column?: CsvImport['columns'] } | undefined)?.column;
	return {
		above,
		columns: chosen?.length ? chosen : CONTACT_FIELDS.map((field) => ({ header: field, field })),
		country: layout.csvCountry === 'name' ? 'name' : 'id',
	};
}

function checkColumns(run: RunContext, csvImport: CsvImport): void {
	const needed: ContactField[] = ['email', 'country'];
	const missing = needed.filter((field) => !csvImport.columns.some((one) => one.field === field));
	if (missing.length === 0) return;
	throw new NodeOperationError(
		run.node,
		`"CSV Columns" has no column for ${missing.join(' or ')}`,
		{
			description:
				'The service requires an email and a country for new contacts. Add what is missing, or remove all columns to use the default ones.',
		},
	);
}

/**
 * "Import New Contacts as File Above", with the layout of the file.
 *
 * @throws InvalidInput for what is no number, NodeOperationError for a layout without a column that is required
 */
export function csvImportOf(run: RunContext, options: IDataObject): CsvImport | undefined {
	const above = numberOption(options, 'importAbove', 'Import New Contacts as File Above', 1);
	if (above === undefined) return undefined;
	const csvImport = layoutOf(run, above);
	checkColumns(run, csvImport);
	return csvImport;
}
