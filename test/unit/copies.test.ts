import fc from 'fast-check';

import { findCopies } from '../../nodes/EmailMarketing/features/campaigns/copies';

const campaigns = fc.uniqueArray(
	fc.record({
		utr: fc.uuid(),
		single_send_name: fc.constantFrom('News', 'News 2', 'Sale'),
		subject: fc.constantFrom('Hello', 'Hello again', 'Bye'),
		preheader: fc.constantFrom('', 'Soon'),
		template_id: fc.nat(2),
	}),
	{ selector: ({ utr }) => utr, minLength: 1, maxLength: 6 },
);

it('never names a record that is no copy of its original, whatever else is created meanwhile', () => {
	fc.assert(
		fc.property(
			campaigns,
			fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }),
			fc.array(fc.nat(5), { maxLength: 2 }),
			fc.boolean(),
			(before, chosen, madeByOthers, isNewestFirst) => {
				const at = (index: number) => before[index % before.length] as (typeof before)[number];
				const originals = chosen.map((index) => at(index).utr);
				const sources = new Map<string, string>();
				const copies = [...chosen, ...madeByOthers].map((index, position) => {
					const utr = `copy-${position}`;
					sources.set(utr, at(index).utr);
					return { ...at(index), utr, single_send_name: `${at(index).single_send_name} (copy)` };
				});
				const after = isNewestFirst ? [...copies, ...before] : [...before, ...copies];

				const found = findCopies({ before, after, originals });

				const named = found.flatMap((copy) => ('utr' in copy ? [copy.utr] : []));
				expect(new Set(named).size).toBe(named.length);
				for (const [position, copy] of found.entries()) {
					if ('utr' in copy) expect(sources.get(copy.utr)).toBe(originals[position]);
				}
			},
		),
	);
});

it('names the copies of so many campaigns that comparing each with each would never end', () => {
	const before = Array.from({ length: 60_000 }, (_, index) => ({
		utr: `original-${index}`,
		subject: 'News',
		preheader: String(index),
	}));
	const copies = before.map(({ utr, ...record }) => ({ ...record, utr: `copy of ${utr}` }));
	const originals = before.map(({ utr }) => utr);
	const found = findCopies({ before, after: [...before, ...copies], originals });
	expect(found).toEqual(copies.map(({ utr }) => ({ utr })));
});
