import type { ErrorCode } from '../service/errorCode';

/** A value of the editor that is not valid for a request. */
export class InvalidInput extends Error {
	readonly code: ErrorCode;
	/** What to do about it; the message says what is wrong. */
	readonly remedy: string;
	/** The item that stops a whole run. */
	readonly itemIndex?: number;

	constructor(code: ErrorCode, message: string, remedy: string, itemIndex?: number) {
		super(message);
		this.code = code;
		this.remedy = remedy;
		this.itemIndex = itemIndex;
	}
}

/** @param remedy what to do, other than to enter a value */
export const valueRequired = (label: string, remedy: string): InvalidInput =>
	new InvalidInput('value-required', `"${label}" is required but empty`, remedy);
