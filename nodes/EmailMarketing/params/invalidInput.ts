import type { ErrorCode } from '../service/errorCode';

/** A value of the interface that cannot become a field of a request. */
export class InvalidInput extends Error {
	readonly code: ErrorCode;
	/** What to do about it; the message says what is wrong. */
	readonly remedy: string;

	constructor(code: ErrorCode, message: string, remedy: string) {
		super(message);
		this.code = code;
		this.remedy = remedy;
	}
}
