import type { SyncReads } from '../../../nodes/EmailMarketing/features/contacts/syncReads';
import type {
	ContactBody,
	ListedContact,
} from '../../../nodes/EmailMarketing/features/contacts/types';
import { addressKey } from '../../../nodes/EmailMarketing/util/email';
import { COUNTRIES, contact } from './builders';
import { lost, refusal, type Answer, type Writes } from './syncRun';

const taken = refusal('The service rejected "Email".', { rejectedFields: ['email'] });
const gone = refusal('The service rejected the request: Record Not Found.', { isNotFound: true });

export interface Circumstances {
	/** Whether the service refuses an address that is there. */
	isUnique: boolean;
	/** Contacts that somebody adds, each before the request with this number. */
	byHand: Array<{ before: number; email: string }>;
	/** The writes, by number, whose responses are lost. */
	lost: Array<{ nth: number; hasEffect: boolean }>;
}

/** What one run has asked for. */
export interface Connection {
	lists: number;
	/** The addresses in the list that it read last. */
	lastListed: string[];
	creates: number;
	/** Files among them. */
	files: number;
}

const nothingSent = {
	...{ first_name: '', last_name: '', state: '', city: '', address_line1: '' },
	...{ address_line2: '', state_province_region: '', postal_code: '' },
};

/** A service that several runs use at the same time. It answers one request after the other, in an order of ours. */
export class OverlappedService {
	contacts: ListedContact[];
	/** All contacts that have been there. */
	readonly everListed: ListedContact[];
	readonly createdIds = new Set<number>();
	readonly removed: number[] = [];
	readonly connections: Connection[] = [];
	private readonly circumstances: Circumstances;
	private readonly waiting: Array<() => void> = [];
	private requests = 0;
	private writes = 0;

	constructor(contacts: ListedContact[], circumstances: Circumstances) {
		this.contacts = contacts;
		this.everListed = [...contacts];
		this.circumstances = circumstances;
	}

	/** The service as one run sees it. */
	connect(): SyncReads & Writes {
		const connection: Connection = { lists: 0, lastListed: [], creates: 0, files: 0 };
		this.connections.push(connection);
		const write = async (apply: () => Answer) => await this.request(() => this.lossy(apply));
		return {
			listContacts: async () => {
				connection.lists++;
				const contacts = await this.request(() => structuredClone(this.contacts));
				connection.lastListed = contacts.map(({ email }) => email);
				return contacts;
			},
			listGlobalUnsubscribes: async () => [],
			listGroupRecipients: async () => [],
			locations: async () => ({ countries: COUNTRIES }),
			create: async (body) => {
				connection.creates++;
				return await write(() => this.create(body));
			},
			update: async () => undefined,
			remove: async (id) => await write(() => this.remove(id)),
			removeMany: async () => undefined,
			addToGroup: async () => undefined,
			wait: async () => undefined,
			uploadCsv: async (_type, csv) => {
				connection.creates++;
				connection.files++;
				return await write(() => {
					for (const line of csv.trim().split('\r\n').slice(1)) {
						const [email = '', country = '', city = ''] = line.split(',');
						this.create({
							contact_type_id: contact(0).contact_type_id as number,
							email,
							country,
							city,
						});
					}
					return undefined;
				});
			},
		};
	}

	/** Answers the requests that wait, one by one, until the runs have ended. */
	async answerAll(turns: Iterator<number>, ended: Promise<unknown>): Promise<void> {
		let isOver = false;
		const over = ended.finally(() => (isOver = true));
		while (!isOver) {
			await new Promise((resolve) => setImmediate(resolve));
			const turn = Number(turns.next().value) % (this.waiting.length || 1);
			this.waiting.splice(turn, 1)[0]?.();
		}
		await over;
	}

	private async request<T>(answer: () => T): Promise<T> {
		await new Promise<void>((resolve) => this.waiting.push(resolve));
		const now = this.requests++;
		for (const { before, email } of this.circumstances.byHand) {
			const isThere = this.contacts.some((one) => one.email === email);
			if (before === now && !(this.circumstances.isUnique && isThere))
				this.add({ email, city: 'By hand' });
		}
		return answer();
	}

	private lossy(apply: () => Answer): Answer {
		const now = this.writes++;
		const loss = this.circumstances.lost.find(({ nth }) => nth === now);
		if (!loss) return apply();
		if (loss.hasEffect) apply();
		return lost;
	}

	private create(body: ContactBody): Answer {
		const key = addressKey(body.email);
		const isThere = this.contacts.some(({ email }) => addressKey(email) === key);
		if (this.circumstances.isUnique && isThere) return taken;
		const country = COUNTRIES.find(({ id }) => String(id) === body.country)?.name;
		this.createdIds.add(this.add({ ...body, country }));
		return undefined;
	}

	private remove(id: number): Answer {
		if (!this.contacts.some((one) => one.id === id)) return gone;
		this.contacts = this.contacts.filter((one) => one.id !== id);
		this.removed.push(id);
		return undefined;
	}

	private add(fields: Partial<ListedContact>): number {
		const id = 100 + this.everListed.length;
		const added = contact(id, { ...nothingSent, ...fields });
		this.contacts.push(added);
		this.everListed.push(added);
		return id;
	}
}
