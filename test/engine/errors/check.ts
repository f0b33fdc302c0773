import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../sandbox';

export interface Case {
	run: [resource: string, operation: string, parameters?: IDataObject];
	/** What the service says; for what the node sees by itself, nothing is sent. */
	says?: unknown;
	/** Where it says so, if that is not its first answer. */
	path?: string;
	message: string;
	description: string;
}

/** Runs the case against a service that answers with these errors. */
export async function check(
	service: Service,
	{ run, says, path, message, description }: Case,
	status: 200 | 422 = 200,
): Promise<void> {
	if (says !== undefined)
		service.fault({
			kind: 'shape',
			body: { status: 'failed', errors: says },
			status,
			match: { path },
		});
	const [resource, operation, parameters] = run;
	const { error } = await service.run({ resource, operation, ...parameters });
	expect({ message: error?.message, description: error?.description }).toEqual({
		message,
		description,
	});
	if (says !== undefined) expect(error?.httpCode).toBe(String(status));
	if (path !== undefined) expect(service.calls().at(-1)).toContain(path);
	else expect(service.calls()).toHaveLength(says === undefined ? 0 : 1);
}
