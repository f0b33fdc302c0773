import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from './random.ts';

/** A person as the other system knows them; a field may be empty or missing. */
export interface Person {
	email: string;
	country: string;
	first_name?: string;
	last_name?: string;
	city?: string;
	postal_code?: string;
}

export type Optional = Exclude<keyof Person, 'email' | 'country'>;

const FIRST_NAMES = ['Ann', 'Björn', 'Chloé', 'Dmitri', 'Élodie', 'Fatma', 'Grace', 'Hiroshi'];
const LAST_NAMES = ['Müller', "O'Neill", 'Øster', 'García', 'Smith-Jones', 'Nowak', 'de Vries'];
const CITIES = ['Köln', 'Paris', 'San José', 'Łódź', 'London', 'Zürich', 'Aix, en Provence'];
const COUNTRIES = ['Germany', 'France', 'Spain', 'Poland', 'Japan'];

const VALUES: Record<Optional, (random: Random) => string> = {
	first_name: (random) => random.pick(FIRST_NAMES),
	last_name: (random) => random.pick(LAST_NAMES),
	city: (random) => random.pick(CITIES),
	postal_code: (random) => String(random.whole(10_000, 99_999)),
};
const OPTIONAL = Object.keys(VALUES) as Optional[];

const fewest = 120;

/** The other system: people who come, change and go, as a list that can be fetched. */
export class Source {
	readonly people = new Map<string, Person>();
	/** Changes made so far. */
	changes = 0;
	private readonly random: Random;
	private readonly server: Server;
	private readonly gone: string[] = [];
	private count = 0;

	constructor(random: Random, size: number) {
		this.random = random;
		for (let n = 0; n < size; n++) this.add();
		this.server = createServer((_request, response) => {
			const body = JSON.stringify([...this.people.values()].map(asShown));
			response.writeHead(200, { 'content-type': 'application/json' }).end(body);
		});
	}

	/** @returns where the list can be fetched */
	async listen(): Promise<string> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/people.json`;
	}

	close(): void {
		this.server.close();
		this.server.closeAllConnections();
	}

	/** A few people come, change or go at once. */
	change(): void {
		for (let left = this.random.whole(1, 4); left > 0; left--) {
			this.changes++;
			if (this.random.chance(0.3)) this.add();
			else if (this.random.chance(0.2) && this.people.size > fewest) this.remove();
			else this.alter();
		}
	}

	private add(): void {
		// Some come back after they had gone.
		const back = this.gone.length > 0 && this.random.chance(0.3);
		const email = back
			? this.gone.splice(this.random.whole(0, this.gone.length - 1), 1)[0]
			: `person${++this.count}@example.com`;
		const person: Person = { email: email ?? '', country: this.random.pick(COUNTRIES) };
		for (const field of OPTIONAL) person[field] = VALUES[field](this.random);
		this.people.set(person.email, person);
	}

	private remove(): void {
		const email = this.random.pick([...this.people.keys()]);
		this.people.delete(email);
		this.gone.push(email);
	}

	private alter(): void {
		const person = this.random.pick([...this.people.values()]);
		const field = this.random.pick(OPTIONAL);
		if (this.random.chance(0.15)) person[field] = '';
		else if (this.random.chance(0.1)) delete person[field];
		else if (this.random.chance(0.2)) person.country = this.random.pick(COUNTRIES);
		else person[field] = VALUES[field](this.random);
	}
}

/** Under the names that the other system has for the fields. */
const asShown = ({ email, country, first_name, last_name, city, postal_code }: Person) => ({
	'E-Mail': email,
	Country: country,
	'First Name': first_name,
	Surname: last_name,
	City: city,
	Zip: postal_code === undefined || postal_code === '' ? postal_code : Number(postal_code),
});
