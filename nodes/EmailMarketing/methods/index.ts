import type { INodeType } from 'n8n-workflow';

import { credentialTest } from './credentialTest';
import { listSearch } from './listSearch';
import { loadOptions } from './loadOptions';
import { resourceMapping } from './resourceMapping';

export const methods: INodeType['methods'] = {
	credentialTest,
	listSearch,
	loadOptions,
	resourceMapping,
};
