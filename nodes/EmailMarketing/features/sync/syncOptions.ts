import type { ContactField } from '../contacts/fields';
import type { RespectedLists } from '../consent/suppressions';
import type { PlanOptions } from './types';

export interface CsvImport {
	/** More new contacts than this are imported as files. */
	above: number;
	/** The columns of the file in their order. */
	columns: ReadonlyArray<{ header: string; field: ContactField }>;
	country: 'id' | 'name';
}

export interface SyncOptions extends PlanOptions, RespectedLists {
	/** The field of the input with external IDs; none if it is absent. */
	externalIdField?: string;
	dryRun: boolean;
	csvImport?: CsvImport;
}
