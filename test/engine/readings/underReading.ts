import type { IDataObject } from 'n8n-workflow';

import { endpointByPath } from '../../../sandbox/endpoints/index.ts';
import type { Entry } from '../../../sandbox/journal.ts';
import { readings } from '../../../sandbox/readings.ts';
import { defaultSettings, type Settings } from '../../../sandbox/settings.ts';
import { namesIn, optionsUnder } from './differences';

export function settingsUnder(reading: string): Partial<Settings> {
	const all = namesIn(reading).map((name) => {
		if (readings[name] === undefined) throw new Error(`There is no reading "${name}"`);
		return readings[name];
	});
	return Object.assign({}, ...all) as Partial<Settings>;
}

const reading = process.env.EMAIL_MARKETING_READING ?? '';

/** What EMAIL_MARKETING_READING makes of the service of every test of the engine. */
export const settings: Partial<Settings> = reading === '' ? {} : settingsUnder(reading);

/** For tests of what the reference shows, and of single readings. */
export const asShown: Partial<Settings> = {
	...defaultSettings,
	tickMs: 0,
	emptyOptional: 'refuse',
};

/** What a user of the service has chosen in "Compatibility"; nothing where a test has set the service otherwise. */
export function compatibilityOf(service: Settings): IDataObject {
	if (reading === '') return {};
	const isUnder = (name: string) =>
		Object.entries(settingsUnder(name)).every(
			([setting, value]) => service[setting as keyof Settings] === value,
		);
	return optionsUnder(namesIn(reading).filter(isUnder).join(' + '));
}

/** Of two methods, the node tries the other one when the first is refused: requests as they are where both are taken. */
export function asIfBothMethods(entries: Entry[]): Entry[] {
	if (settings.methods === undefined) return entries;
	return entries.flatMap((entry) => {
		const [shown, listed] = endpointByPath.get(entry.path)?.methods ?? [];
		if (shown === undefined || listed === undefined) return [entry];
		const refused = settings.methods === 'listed' ? shown : listed;
		if (entry.method === refused && entry.outcome === 'validation') return [];
		return [{ ...entry, method: shown }];
	});
}

interface Equals {
	equals(one: unknown, other: unknown, testers: Tester[]): boolean;
}
type Tester = (
	this: Equals,
	one: unknown,
	other: unknown,
	testers: Tester[],
) => boolean | undefined;
type Rows = Record<string, unknown>;

const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === '';

const isPlain = (value: unknown): value is Rows =>
	typeof value === 'object' &&
	value !== null &&
	[Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

/** The object without what the tester passes over; itself if it has none of that. */
function without(value: Rows, isPassedOver: (key: string, value: unknown) => boolean): Rows {
	const entries = Object.entries(value);
	const rest = entries.filter(([key, one]) => !isPassedOver(key, one));
	return rest.length === entries.length ? value : Object.fromEntries(rest);
}

const passingOver = (isPassedOver: (key: string, value: unknown) => boolean): Tester =>
	function (one, other, testers) {
		if (!isPlain(one) || !isPlain(other)) return undefined;
		const [left, right] = [without(one, isPassedOver), without(other, isPassedOver)];
		if (left === one && right === other) return undefined;
		return this.equals(left, right, testers);
	};

/** Fields that the sandbox adds to its records and envelopes. */
const further = ['tenant', 'tags', 'revision', 'total'];

/** A number is the same as its digits. */
const numbersAreTexts: Tester = (one, other) =>
	typeof one !== typeof other &&
	[one, other].every((value) => ['number', 'string'].includes(typeof value)) &&
	String(one) === String(other)
		? true
		: undefined;

const emptyIsEmpty: Tester = (one, other) => (isEmpty(one) && isEmpty(other) ? true : undefined);

/** Times without a zone, such as 2026-03-02 10:00:00. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

/** Without a zone, a time is the same as that of the service's zone. */
const timesAreLocal: Tester = (one, other) => {
	const [left = NaN, right = NaN] = [one, other].map((value) =>
		typeof value === 'string' && LOCAL_TIME.test(value) ? Date.parse(`${value}Z`) : NaN,
	);
	return Math.abs(left - right) === Math.abs(settings.zoneMinutes ?? 0) * 60_000 || undefined;
};

/** Lists in another order have the same entries. */
const orderIsFree: Tester = function (one, other, testers) {
	if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return undefined;
	const rest: unknown[] = [...(other as unknown[])];
	const areFound = one.every((entry) => {
		const found = rest.findIndex((candidate) => this.equals(entry, candidate, testers));
		if (found >= 0) rest.splice(found, 1);
		return found >= 0;
	});
	return areFound;
};

/** Dates and times as *Compatibility* writes them, such as 27-03-01 and 09:30. */
const isWrittenShorter = (long: unknown, short: unknown): boolean =>
	typeof long === 'string' &&
	typeof short === 'string' &&
	((/^20\d\d-\d\d-\d\d$/.test(long) && long.slice(2) === short) ||
		long.replace(/\b(\d\d:\d\d):\d\d\b/, '$1') === short);
const mayBeShorter: Tester = (one, other) =>
	isWrittenShorter(one, other) || isWrittenShorter(other, one) || undefined;

const testers: Tester[] = [
	...(settings.listOrder === undefined ? [] : [orderIsFree]),
	...(settings.zoneMinutes === undefined ? [] : [timesAreLocal]),
	...(settings.numbers === undefined ? [] : [numbersAreTexts]),
	...(settings.furtherFields === undefined ? [] : [passingOver((key) => further.includes(key))]),
	...(settings.dateFormat === undefined && settings.timeFormat === undefined ? [] : [mayBeShorter]),
	...(settings.unusedBody === undefined
		? []
		: [passingOver((key, value) => key.startsWith('template_') && value === '')]),
	...(settings.nulls === undefined
		? []
		: [emptyIsEmpty, passingOver((_key, value) => isEmpty(value))]),
];

/** Records are returned as they come, so results that differ in their form alone are the same under a reading of forms. */
(expect as unknown as { addEqualityTesters(testers: Tester[]): void }).addEqualityTesters(testers);
