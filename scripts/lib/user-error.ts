/**
 * A problem that the person at the keyboard can put right: shown without a stack. user-error.mjs has
 * another for what runs without TypeScript; the name is what tells them from other errors.
 */
export class UserError extends Error {
	override name = 'UserError';
}

export const isUserError = (error: unknown): error is Error =>
	error instanceof Error && error.name === 'UserError';
