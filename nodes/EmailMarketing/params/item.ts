import type { IBinaryKeyData, IDataObject, IWorkflowDataProxyData } from 'n8n-workflow';

/** One input item of the node, with its values of the parameters. */
export interface Item {
	readonly index: number;
	readonly json: IDataObject;
	readonly binary?: IBinaryKeyData;
	/** Of the workflow. */
	readonly timezone: string;
	/**
	 * @param path such as `subject` or `options.timezone`
	 * @throws NodeOperationError if its expression fails
	 */
	param(path: string, fallback: unknown): unknown;
	/** The parameter as the workflow contains it, with its expressions. */
	raw(path: string): unknown;
	/** Whether an agent calls the node as a tool. */
	readonly isTool: boolean;
	/** The data of expressions; reading parts of it can throw, and the expression then fails. */
	workflowData(): IWorkflowDataProxyData;
}
