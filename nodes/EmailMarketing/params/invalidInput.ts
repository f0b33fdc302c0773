/** A value of the interface that cannot become a field of a request. */
export class InvalidInput extends Error {
	/** What to do about it; the message says what is wrong. */
	readonly remedy: string;

	constructor(message: string, remedy: string) {
		super(message);
		this.remedy = remedy;
	}
}
