import { UserError } from '../user-error.ts';

export type Row = Record<string, unknown>;

export interface Keys {
	publicKey: string;
	secretKey: string;
}

export interface Answer {
	status: number;
	contentType: string;
	isSuccess: boolean;
	message: unknown;
	errors: unknown;
	/** Keys of the envelope. */
	keys: string[];
}

const isObject = (value: unknown): value is Row =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): Row {
	try {
		const value: unknown = JSON.parse(text);
		return isObject(value) ? value : {};
	} catch {
		return {};
	}
}

interface Request {
	query?: Record<string, string>;
	form?: Record<string, string | Blob>;
	/** Identifiers of a bulk delete. */
	ids?: string[];
}

/** The service, as any of its clients sees it. */
export class Service {
	/** The paths of the requests that succeeded. */
	readonly succeeded = new Set<string>();
	private readonly baseUrl: string;
	private readonly keys: Keys;

	constructor(baseUrl: string, keys: Keys) {
		this.baseUrl = baseUrl.replace(/\/+$/, '');
		this.keys = keys;
	}

	async send(
		method: string,
		path: string,
		{ query = {}, form, ids }: Request = {},
	): Promise<Answer> {
		const search = new URLSearchParams(query).toString();
		const response = await fetch(`${this.baseUrl}${path}${search && `?${search}`}`, {
			method,
			redirect: 'manual',
			signal: AbortSignal.timeout(60_000),
			headers: { PublicKey: this.keys.publicKey, SecretKey: this.keys.secretKey },
			body: bodyOf(form, ids),
		}).catch((error: Error) => {
			const { message } = (error.cause ?? error) as Error;
			throw new UserError(`${method} ${path} got no answer: ${message}`);
		});
		const body = parsed(await response.text());
		if (body.status === 'success') this.succeeded.add(path);
		return {
			status: response.status,
			contentType: response.headers.get('content-type') ?? '',
			isSuccess: body.status === 'success',
			message: body.message,
			errors: body.errors,
			keys: Object.keys(body),
		};
	}

	/** The records of a list; none where the answer says that there is nothing. */
	async list(path: string, query: Record<string, string> = {}, method = 'GET'): Promise<Row[]> {
		const { message } = await this.send(method, path, { query });
		const lists = isObject(message) ? Object.values(message).filter(Array.isArray) : [];
		return (lists[0] ?? []).filter(isObject);
	}

	/** The one record of an answer, which #40 has in an array. */
	async record(path: string, query: Record<string, string>): Promise<Row> {
		const { message } = await this.send('GET', path, { query });
		const values = isObject(message) ? Object.values(message) : [];
		const found: unknown = values.flat().find((value) => isObject(value) && 'id' in value);
		return isObject(found) ? found : {};
	}
}

function bodyOf(form?: Request['form'], ids?: string[]): FormData | URLSearchParams | undefined {
	if (ids) return new URLSearchParams(ids.map((id, index) => [`strIds[${index}]`, id]));
	if (!form) return undefined;
	const body = new FormData();
	for (const [name, value] of Object.entries(form)) {
		if (typeof value === 'string') body.append(name, value);
		else body.append(name, value, 'contacts.csv');
	}
	return body;
}

/** A value of a record as text; '' where there is none. */
export const text = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const isPresent = ({ deleted_at: deletedAt }: Row): boolean => text(deletedAt) === '';
