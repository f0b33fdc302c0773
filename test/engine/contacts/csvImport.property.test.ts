import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';

import { neverAddArray } from '../consent/support';
import { importCsv } from './csvFiles';
import { GERMANY, json, useAccount } from './support';

const test = useAccount({ csvBadRow: 'skip', duplicateEmail: 'allow' });

const people = Array.from({ length: 8 }, (_, at) => `person${at}@example.com`);
const person = fc.constantFrom(...people);
const spelling = fc.constantFrom(
	(email: string) => email,
	(email: string) => email.toUpperCase(),
	(email: string) => email.replace('p', 'P'),
);
const text = fc.string({ unit: fc.constantFrom(...'aé",; \n\r@'), maxLength: 6 });
const rows = fc.array(
	fc.record({ email: person, spell: spelling, name: text, note: text, isEmpty: fc.boolean() }),
	{ maxLength: 12 },
);

it('never imports anybody on a respected list, and imports everybody else', async () => {
	const cases = fc.record({
		rows,
		global: fc.uniqueArray(person),
		group: fc.uniqueArray(person),
		never: fc.option(fc.array(fc.record({ email: person, isErased: fc.boolean() }))),
		respects: fc.record({ globalUnsubscribes: fc.boolean(), groups: fc.boolean() }),
		file: fc.record({
			record_delimiter: fc.constantFrom('\n', '\r\n'),
			bom: fc.boolean(),
			quoted: fc.boolean(),
			eof: fc.boolean(),
		}),
	});
	await fc.assert(
		fc.asyncProperty(cases, async ({ rows, global, group, never, respects, file }) => {
			const { account } = test;
			account.reset();
			account.state.tables.unsubscribeGroups.add({ id: 41, group_name: 'News' }, 0);
			for (const email of global) account.unsubscribe(email);
			for (const email of group) account.unsubscribe(email, 41);
			const { globalUnsubscribes, groups } = respects;
			const respected = [
				...(globalUnsubscribes ? global : []),
				...(groups ? group : []),
				...(never ?? []).map(({ email }) => email),
			];
			const table = rows.map(({ email, spell, name, note, isEmpty }) => [
				...[name, isEmpty ? '' : spell(email), GERMANY, note],
			]);
			const header = ['first_name', 'email', 'country', 'note'];
			const content = stringify([header, ...table], { ...file, quoted_match: /^\s|\s$|[\r\n]/ });

			const outcome = await importCsv(account, {
				files: [content],
				options: {
					...{ globalUnsubscribes, unsubscribeGroups: groups ? [41] : [] },
					...(never && neverAddArray(never)),
				},
			});

			expect(outcome.error).toBeUndefined();
			const wanted = rows.filter(({ email, isEmpty }) => !isEmpty && !respected.includes(email));
			const imported = account.emails().map((email) => email.toLowerCase());
			expect(imported.toSorted()).toEqual(wanted.map(({ email }) => email).toSorted());
			const held = rows.filter(({ email, isEmpty }) => !isEmpty && respected.includes(email));
			const report = globalUnsubscribes || groups || never ? held.length : undefined;
			expect(json(outcome).map(({ heldBack }) => heldBack)).toEqual([report]);
		}),
		{ numRuns: 20 },
	);
});
