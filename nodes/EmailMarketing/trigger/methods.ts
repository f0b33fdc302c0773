import type { INodeType } from 'n8n-workflow';

import { credentialTest } from '../methods/credentialTest';
import { listSearch } from '../methods/listSearch';
import { optionsFrom } from '../methods/loadOptions';
import { recordChoices } from '../methods/recordChoices';

export const methods: INodeType['methods'] = {
	credentialTest,
	listSearch,
	// By utr only, which is what the filters compare.
	loadOptions: {
		getAutomations: optionsFrom(recordChoices('Automations')),
		getSingleSends: optionsFrom(recordChoices('SingleSends')),
	},
};
