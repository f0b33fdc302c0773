import type {
	IExecuteSingleFunctions,
	IN8nHttpFullResponse,
	INodeExecutionData,
	PostReceiveAction,
} from 'n8n-workflow';

import { preparedFor } from './prepare';
import type { Endpoint } from './operation';

/** The step after an answer: success envelope → items, anything else → a failure in words. */
export function unwrap(endpoint: Endpoint): PostReceiveAction {
	return async function (
		this: IExecuteSingleFunctions,
		_items: INodeExecutionData[],
		response: IN8nHttpFullResponse,
	) {
		return await endpoint.returns(response, endpoint, this, preparedFor(this)?.identity ?? {});
	};
}
