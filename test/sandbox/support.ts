import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/server.ts';

export const KEYS = { PublicKey: 'sandbox-public-key', SecretKey: 'sandbox-secret-key' };

export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	json: { status: string; message?: unknown; errors?: unknown };
}

export type Form = Record<string, string | number | File>;

const parse = (text: string): Answer['json'] => {
	try {
		return JSON.parse(text) as Answer['json'];
	} catch {
		return { status: 'not json' };
	}
};

/** Calls of the API and of the controls, over real HTTP. */
export class Caller {
	readonly sandbox: Sandbox;

	constructor(sandbox: Sandbox) {
		this.sandbox = sandbox;
	}

	async send(path: string, init: RequestInit = {}): Promise<Answer> {
		const response = await fetch(this.sandbox.baseUrl + path, {
			redirect: 'manual',
			...init,
			headers: { ...KEYS, ...(init.headers as Record<string, string>) },
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, json: parse(text) };
	}

	get(path: string): Promise<Answer> {
		return this.send(path);
	}

	delete(path: string): Promise<Answer> {
		return this.send(path, { method: 'DELETE' });
	}

	post(path: string, fields: Form = {}): Promise<Answer> {
		const body = new FormData();
		for (const [name, value] of Object.entries(fields)) {
			body.append(name, value instanceof File ? value : String(value));
		}
		return this.send(path, { method: 'POST', body });
	}

	/** Any text as an x-www-form-urlencoded body. */
	urlencoded(path: string, body: string): Promise<Answer> {
		const headers = { 'content-type': 'application/x-www-form-urlencoded' };
		return this.send(path, { method: 'POST', body, headers });
	}

	bulk(path: string, ids: Array<string | number>): Promise<Answer> {
		return this.urlencoded(path, ids.map((id, index) => `strIds%5B${index}%5D=${id}`).join('&'));
	}

	async control<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const json = { 'content-type': 'application/json' };
		const response = await fetch(`${this.sandbox.url}/__sandbox${path}`, {
			method,
			...(body === undefined ? {} : { headers: json, body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return JSON.parse(text) as T;
	}

	async rules(): Promise<string[]> {
		const violations = await this.control<Array<{ rule: string }>>('GET', '/violations');
		return violations.map(({ rule }) => rule);
	}
}

/** One sandbox per test file, with the demo back in place before each test. Its single sends stand still. */
export function useSandbox(options: SandboxOptions = {}): { api: Caller } {
	const holder = {} as { api: Caller };
	beforeAll(async () => {
		const settings = { tickMs: 0, ...options.settings };
		holder.api = new Caller(await startSandbox({ ...options, settings }));
	});
	beforeEach(() => holder.api.control('POST', '/reset', {}));
	afterAll(() => holder.api.sandbox.close());
	return holder;
}

/** What a control lists: records, or requests of the journal. */
export interface Entry {
	n: number;
	[field: string]: unknown;
}

export interface Journal {
	inFlight: number;
	maxInFlight: number;
	entries: Entry[];
}

export const ok = (message: unknown) => ({ status: 'success', message });
export const failed = (errors: unknown) => ({ status: 'failed', errors });

/** The ids of the demo's records. */
export const DEMO = {
	type: 21,
	otherType: 22,
	group: 51,
	sender: 81,
	segment: 301,
	contact: 1000001,
	india: 104,
	germany: 85,
	unitedStates: 238,
};

export const SEND_FIELDS = {
	template_id: 2,
	sender_id: DEMO.sender,
	unsubscribe_group_id: DEMO.group,
	single_send_name: 'Launch',
	subject: 'It is here',
	preheader: 'At last',
	'recipient_id[0]': `contacts_${DEMO.type}`,
	schedule_type: 0,
};

export const SENDER_FIELDS = {
	from_name: 'Shop',
	from_email: 'shop@example.com',
	reply_to_email: 'reply@example.com',
	country_id: DEMO.germany,
	company_address: 'Road 1',
	nickname: 'Shop',
};
