// @ts-check

/** A problem that the person at the keyboard can put right: shown without a stack. */
export class UserError extends Error {
	/** @override */
	name = 'UserError';
}
