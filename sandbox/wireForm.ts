import type { Endpoint } from './endpoint.ts';
import { dateTime } from './format.ts';
import { notFound, type Reply } from './replies.ts';
import { defaultSettings, type Settings } from './settings.ts';

/** Second readings of the reference that concern the form of an answer, whatever the endpoint. */

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists that show `Record Not Found` as their failure though they take no id. */
const SHOWN_NOT_FOUND = new Set(['35', '36', '44']);
/** Those of a parent, with their own text. */
const OF_PARENT: Record<string, 'Record Not Found' | 'Record not found'> = {
	10: 'Record Not Found',
	27: 'Record not found',
	'49c': 'Record not found',
};

const ID_KEY = /(^|_)id$|_groups_id$|^automation_for$|^select_field$|^country$/;
const TIMES = new Set(['sent_at', 'live_at', 'send_at']);

type Number = Settings['numbers'];

function numberForm(key: string, value: unknown, numbers: Number): unknown {
	if (Array.isArray(value)) return value.map((entry) => numberForm(key, entry, numbers));
	const isId = ID_KEY.test(key);
	if (typeof value === 'number' && (numbers === 'asText' || (numbers === 'idsAsText' && isId))) {
		return String(value);
	}
	if (numbers === 'idsAsNumber' && isId && typeof value === 'string' && /^\d{1,15}$/.test(value)) {
		return Number(value);
	}
	return value;
}

function shifted(time: string, minutes: number): string {
	const ms = Date.parse(`${time.replace(' ', 'T')}Z`);
	return Number.isNaN(ms) ? time : dateTime(ms + minutes * 60_000);
}

/** A record, or part of one. */
function record(row: Json, settings: Settings): Json {
	const shown: Json = {};
	for (const [key, given] of Object.entries(row)) {
		let value = given;
		if (Array.isArray(value)) {
			value = value.map((entry) => (isObject(entry) ? record(entry, settings) : entry));
		} else if (isObject(value)) value = record(value, settings);
		if (value === null && settings.nulls === 'absent') continue;
		if (value === null && settings.nulls === 'empty') value = '';
		if (typeof value === 'string' && TIMES.has(key)) value = shifted(value, settings.zoneMinutes);
		if (key === 'segment_emails_count' && settings.segmentCounts === 'zero') value = 0;
		shown[key] = numberForm(key, value, settings.numbers);
	}
	if (settings.furtherFields === 'none' || row.id === undefined) return shown;
	return { tenant: { id: 3, name: 'Main' }, ...shown, tags: ['a', 'b'], revision: 4 };
}

function list(key: string, rows: unknown[], { number }: Endpoint, settings: Settings): Reply {
	const { emptyLists, emptyParents } = settings;
	const ofParent = OF_PARENT[number];
	const isMissing =
		ofParent === undefined
			? emptyLists === 'everywhere' || (emptyLists === 'failed' && SHOWN_NOT_FOUND.has(number))
			: emptyParents === 'failed';
	if (rows.length === 0 && isMissing) return notFound(ofParent ?? 'Record Not Found');
	const shown = rows.map((row) => (isObject(row) ? record(row, settings) : row));
	const isNull = rows.length === 0 && emptyLists === 'null';
	return envelope({ [key]: isNull ? null : shown }, settings);
}

const envelope = (message: Json, { furtherFields }: Settings): Reply => ({
	outcome: 'success',
	json: JSON.stringify(
		furtherFields === 'none'
			? { status: 'success', message }
			: { status: 'success', code: 200, message: { ...message, version: 1 } },
	),
});

const FORMS = [
	'emptyLists',
	'emptyParents',
	'numbers',
	'furtherFields',
	'nulls',
	'zoneMinutes',
	'unknownReferences',
	'segmentCounts',
] as const;

/** Whether answers have the form that the reference shows. */
export const isFormShown = (settings: Settings): boolean =>
	settings.groupEntries !== 'text' &&
	FORMS.every((name) => settings[name] === defaultSettings[name]);

/** The answer of an endpoint in the form that the settings ask for. */
export function wireForm(endpoint: Endpoint, reply: Reply, settings: Settings): Reply {
	if (isFormShown(settings)) return reply;
	if (reply.outcome === 'attachment') return reply;
	if (reply.outcome !== 'success') {
		const isText = reply.isReference && settings.unknownReferences === 'text';
		return isText ? notFound('Record Not Found') : reply;
	}
	const { message } = JSON.parse(String(reply.json)) as { message?: unknown };
	if (!isObject(message)) return reply;
	const [[key, value] = ['', undefined], ...others] = Object.entries(message);
	// Not the one record of #40, nor the three lists of #50.
	if (Array.isArray(value) && others.length === 0 && endpoint.number !== '40') {
		return list(key, value, endpoint, settings);
	}
	return endpoint.number === '50' ? reply : envelope(record(message, settings), settings);
}
