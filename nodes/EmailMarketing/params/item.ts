import type { IBinaryKeyData, IDataObject, IWorkflowDataProxyData } from 'n8n-workflow';

/** One input item of the node, with the parameters as they are for it. */
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
	/** Whether the parameter contains an expression: then an empty value is not one that somebody left empty. */
	isExpression(path: string): boolean;
	/** What expressions see; an expression that fails has parts here that throw. */
	workflowData(): IWorkflowDataProxyData;
}
