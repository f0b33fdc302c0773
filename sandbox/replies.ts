/** What an endpoint answers, before it is put on the wire. */
export type Reply =
	| { outcome: 'success'; json: string | Buffer }
	| { outcome: 'attachment'; content: string; contentType: string; filename: string }
	| { outcome: Failure; errors: string | Record<string, string[]>; isReference?: true };

export type Failure = 'validation' | 'lookup' | 'business' | 'credentials';

export const success = (message: unknown): Reply => ({
	outcome: 'success',
	json: JSON.stringify({ status: 'success', message }),
});

/** #17, #30 and #55 confirm under the key `errors`. */
export const successUnderErrors = (text: string): Reply => ({
	outcome: 'success',
	json: JSON.stringify({ status: 'success', errors: text }),
});

/** A list of which each item is JSON already. */
export const successList = (key: string, items: string[]): Reply => ({
	outcome: 'success',
	json: `{"status":"success","message":{"${key}":[${items.join(',')}]}}`,
});

export const invalid = (errors: Record<string, string[]>): Reply => ({
	outcome: 'validation',
	errors,
});

/** Ids in the body that name no record. */
export const unknownReference = (errors: Record<string, string[]>): Reply => ({
	...{ outcome: 'validation', errors, isReference: true },
});

export const notFound = (text: 'Record Not Found' | 'Record not found'): Reply => ({
	outcome: 'lookup',
	errors: text,
});

export const refused = (text: string): Reply => ({ outcome: 'business', errors: text });

export const badCredentials = (errors: string | Record<string, string[]>): Reply => ({
	outcome: 'credentials',
	errors,
});

export const failureJson = (errors: string | Record<string, string[]>): string =>
	JSON.stringify({ status: 'failed', errors });

const STATUS: Record<Failure, number> = {
	validation: 422,
	business: 422,
	lookup: 404,
	credentials: 401,
};

export const statusOf = (outcome: Failure, failureStatus: 200 | 422): number =>
	failureStatus === 200 ? 200 : STATUS[outcome];
