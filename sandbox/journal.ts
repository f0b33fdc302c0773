import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Answer } from './faults.ts';
import type { Part } from './forms.ts';

export type KeyState = 'absent' | 'wrong' | 'correct';

/** A file is told by what it is, not by its content. */
export interface SentFile {
	filename: string;
	contentType: string;
	size: number;
	sha256: string;
}

type Value = string | SentFile;
export type Fields = Record<string, Value | Value[]>;

export interface Entry {
	n: number;
	time: string;
	method: string;
	path: string;
	query: Fields;
	headers: Record<string, string>;
	keys: { publicKey: KeyState; secretKey: KeyState };
	contentType: string | null;
	bodySize: number;
	/** Null without a body, and when the body was too large to be kept. */
	body: Fields | null;
	notes: string[];
	fault: string | null;
	/** Null as long as nothing was answered. */
	status: number | null;
	outcome: string | null;
	durationMs: number | null;
}

export interface Violation {
	n: number;
	time: string;
	method: string;
	path: string;
	rule: string;
	detail: string;
}

/** What was answered, as far as it is kept. */
export interface KeptAnswer {
	contentType: string | null;
	size: number;
	/** Its beginning, when it is long. */
	text: string;
}

const SHOWN_HEADERS = ['accept', 'content-length', 'host', 'transfer-encoding', 'user-agent'];
const BODY_LIMIT = 64 * 1024;
/** Once this much is held in bodies, only small ones are still kept. */
const BODIES_LIMIT = 128 * 1024 * 1024;
const SMALL_BODY = 1024;
/** How many answers are kept, and how much of each. */
const ANSWERS_LIMIT = 200;
const ANSWER_LIMIT = 64 * 1024;
/** Keys belong in the headers; sent elsewhere by mistake, they are not shown either. */
const KEY_NAME = /^(public|secret)[-_ ]?key$/i;

export const shownHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
	Object.fromEntries(
		SHOWN_HEADERS.filter((name) => headers[name] !== undefined).map((name) => [
			name,
			String(headers[name]),
		]),
	);

/** Fields by the names they were sent with; a name that was sent twice holds a list. */
export function fieldsOf(parts: Part[]): Fields {
	const fields: Fields = {};
	for (const { name, value, file } of parts) {
		const shown: Value = file
			? {
					filename: file.filename,
					contentType: file.contentType,
					size: file.bytes.length,
					sha256: createHash('sha256').update(file.bytes).digest('hex'),
				}
			: KEY_NAME.test(name)
				? '(hidden)'
				: value;
		const before = Object.hasOwn(fields, name) ? fields[name] : undefined;
		fields[name] =
			before === undefined ? shown : Array.isArray(before) ? [...before, shown] : [before, shown];
	}
	return fields;
}

/** What came in. Holds the newest `limit` requests. */
export class Journal {
	entries: Entry[] = [];
	violations: Violation[] = [];
	maxInFlight = 0;
	inFlight = 0;
	/** Told of each request and its answer; for tests in the same process. */
	observe: (entry: Entry, answer: Answer) => void = () => undefined;
	private readonly answers = new Map<number, KeptAnswer>();
	private lastNumber = 0;
	private bodyBytes = 0;
	private readonly limit: number;

	constructor(limit: number) {
		this.limit = limit;
	}

	begin(): void {
		this.inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
	}

	end(): void {
		this.inFlight--;
	}

	add(entry: Omit<Entry, 'n' | 'body'>, parts: Part[]): Entry {
		const textSize = parts.reduce((sum, part) => sum + part.name.length + part.value.length, 0);
		const kept = textSize <= (this.bodyBytes > BODIES_LIMIT ? SMALL_BODY : BODY_LIMIT);
		if (kept) this.bodyBytes += textSize;
		const body = entry.bodySize > 0 && kept ? fieldsOf(parts) : null;
		const added = { n: ++this.lastNumber, ...entry, body };
		this.entries.push(added);
		// Dropped in slices: removing the first of a long list each time would be slow.
		if (this.entries.length > this.limit * 1.1) this.entries = this.entries.slice(-this.limit);
		return added;
	}

	/** Null when nothing was answered. */
	answered(entry: Entry, answer: Answer | null): void {
		entry.status = answer?.status ?? null;
		if (!answer) return;
		this.observe(entry, answer);
		this.answers.set(entry.n, {
			contentType: answer.headers['content-type'] ?? null,
			size: Buffer.byteLength(answer.body),
			// A copy: a piece of a text would hold on to the whole of it.
			text: Buffer.from(answer.body.slice(0, ANSWER_LIMIT)).toString(),
		});
		for (const n of this.answers.keys()) {
			if (this.answers.size <= ANSWERS_LIMIT) break;
			this.answers.delete(n);
		}
	}

	/** One request with its violations and, when it is one of the newest, its answer. */
	details(n: number) {
		const entry = this.since(n - 1).at(0);
		if (entry?.n !== n) return null;
		const violations = this.violations.filter((violation) => violation.n === n);
		return { entry, violations, answer: this.answers.get(n) ?? null };
	}

	violate({ n, time, method, path }: Entry, rule: string, detail: string): void {
		this.violations.push({ n, time, method, path, rule, detail });
	}

	since(n: number): Entry[] {
		const newest = this.entries.slice(-this.limit);
		const first = newest[0]?.n ?? 0;
		return newest.slice(Math.max(0, n + 1 - first));
	}

	clear(): void {
		this.entries = [];
		this.answers.clear();
		this.bodyBytes = 0;
		this.maxInFlight = this.inFlight;
	}
}
