import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { readings } from '../../../sandbox/readings.ts';
import { baselinesOf, type Baseline } from '../../fuzz/operations';
import { automation } from '../records';
import { once, useService } from '../sandbox';
import { asShown, settingsUnder } from './underReading';
import { mayDiffer, optionsUnder } from './differences';

const test = useService(asShown);

/** For `npm test`: two readings of responses, one of failures and one of requests. */
const sample = ['empty-parents-not-found', 'ids-as-text', 'failures-by-status', 'two-digit-years'];

/** All of them, each alone and in combinations, where EMAIL_MARKETING_READINGS is `all`. */
function chosenReadings(): string[] {
	const wanted = process.env.EMAIL_MARKETING_READINGS ?? '';
	if (wanted !== 'all') return wanted === '' ? sample : wanted.split(',');
	const names = Object.keys(readings);
	const several = fc.shuffledSubarray(names, { minLength: 2, maxLength: 4 });
	return [...names, ...fc.sample(several, 50).map((some) => some.join(' + '))];
}

/** Records that are there after a run, without the part of a test's name that is random. */
function recordsLeft(): string {
	const tables = Object.entries(test.service.state.tables) as unknown as Array<
		[string, { all(): IDataObject[] }]
	>;
	return JSON.stringify(
		tables.map(([name, table]) => [
			name,
			table.all().filter(({ deleted_at: deletedAt }) => !deletedAt),
		]),
	).replace(/\([a-z0-9]+-[a-z0-9]+\)/g, '(random)');
}

async function run(
	{ parameters, item, operation }: Baseline,
	settings: object,
	compatibility: IDataObject,
) {
	const { service } = test;
	service.reset();
	// Its responses have the form of the reading.
	service.holdsOddRecords = true;
	if (operation === 'setLive') service.state.tables.automations.put({ ...automation, status: 0 });
	Object.assign(service.state.settings, settings);
	const options = { ...once, ...(parameters.options as IDataObject), ...compatibility };
	const given = { ...parameters, options };
	const { items, error } = await service.run(given, { items: [item] });
	const violations = service.violations();
	return { error: error?.message, count: items.length, records: recordsLeft(), violations };
}

/** The first place where two texts differ, with what is around it. */
function firstDifference(one: string, other: string): string {
	const at = [...one].findIndex((letter, index) => letter !== other[index]);
	const around = (text: string) => text.slice(Math.max(0, at - 80), at + 80);
	return `${around(one)} became ${around(other)}`;
}

it.each(chosenReadings())('under %s, every operation has its usual effect', async (reading) => {
	test.service.reset();
	const wrong: unknown[] = [];
	for (const baseline of baselinesOf(test.service.state)) {
		const { name } = baseline;
		const usual = await run(baseline, {}, {});
		const found = await run(baseline, settingsUnder(reading), optionsUnder(reading));
		if (found.violations.length > 0) wrong.push([name, found.violations]);
		if (mayDiffer(reading, name)) continue;
		if (found.error !== undefined) wrong.push([name, found.error]);
		else if (usual.count !== found.count) wrong.push([name, usual.count, found.count]);
		else if (usual.records !== found.records) {
			wrong.push([name, firstDifference(usual.records, found.records)]);
		}
	}
	expect(wrong).toEqual([]);
});
