import type { Contact } from '../../sandbox/model.ts';
import type { Service } from '../service.ts';
import { SYNCED_TYPE } from '../workflows.ts';
import { doubled, type Finding } from './finding.ts';
import { type Gap, missing } from './gaps.ts';
import type { Heard, Observation } from './observations.ts';

/**
 * Holds what was told of contacts against those that are there: each new one told once, no change told twice, and the
 * last change of each told. Contacts that came and went again may have been missed: no poll came in between.
 */
export function checkEntries(
	observations: Observation[],
	contacts: Contact[],
	{ seeded }: Pick<Service, 'seeded'>,
	gaps: Gap[],
): Heard {
	const findings: Finding[] = [];
	const told = new Set<string>();
	const newest = new Map(seeded.map(({ id, updated_at }) => [id, updated_at]));
	const all = observations
		.flatMap(({ id, events }) => events.map((event) => ({ execution: id, ...event })))
		.filter(({ event }) => event.startsWith('contact'));
	for (const { execution, event, occurredAt, record } of all) {
		const id = Number(record.id);
		const key = event === 'contactAdded' ? `${id}` : `${id} ${occurredAt}`;
		if (told.has(key)) findings.push(doubled(`execution ${execution}: ${event} of ${key}`));
		told.add(key);
		if ((occurredAt ?? '') > (newest.get(id) ?? '')) newest.set(id, occurredAt ?? '');
	}
	const miss = (time: string, text: string) =>
		findings.push(missing(text, gaps, [Date.parse(time)]));
	const known = new Set(seeded.map(({ id }) => id));
	for (const { id, email, contact_type_id, created_at, updated_at } of contacts) {
		if (contact_type_id !== SYNCED_TYPE) continue;
		if (!known.has(id) && !told.has(`${id}`)) {
			miss(created_at, `nobody was told that ${email} is new`);
		}
		const last = newest.get(id) ?? updated_at;
		if (last !== updated_at) {
			miss(updated_at, `${email} changed at ${updated_at}, and ${last} was told last`);
		}
	}
	return { findings, events: all.length };
}
