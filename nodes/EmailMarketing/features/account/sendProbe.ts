import type { Client } from '../../service/client';
import {
	isMethodRefused,
	isNotFound,
	missingHeaders,
	readEach,
	readEnvelope,
	readList,
	readRecord,
} from '../../service/envelope';
import type { KeyedEndpoint } from '../../service/endpoints';
import { toFailure } from '../../service/errors';
import type { HttpResponse, RequestInfo } from '../../service/failure';
import { parseJson } from '../../service/json';
import { isSampleFile } from '../../service/sampleFile';
import { readCountries } from '../locations/countryShape';
import { isObject, toJson } from '../../util/coerce';
import { truncateList } from '../../util/text';
import { glimpser, Observation } from './observation';
import { countFields } from './probes';
import type { Probe } from './probes';

/** The outcome of a request. */
type Result = 'works' | 'empty' | 'differs' | 'refused' | 'failed' | 'notTested';

export interface Finding {
	probe: Probe;
	result: Result;
	message: string;
	observation: Observation;
	bytes: number;
	milliseconds: number;
	/** Whether the service reported "nothing found" instead of an empty list. */
	saysNothing: boolean;
	/** Whether only the second of two methods was accepted. */
	usedOtherMethod: boolean;
}

type Outcome = Partial<Finding> & Pick<Finding, 'result' | 'message'>;

/** A key that does not look like a field name may be personal data, such as an address used as a key. */
export const isFieldName = (key: string): boolean => /^[A-Za-z_]\w{0,40}$/.test(key);

const namesIn = (value: unknown): string =>
	isObject(value) ? truncateList(Object.keys(value).filter(isFieldName), 10) : '';

const parsedBody = ({ body }: HttpResponse): unknown =>
	Buffer.isBuffer(body) ? parseJson(body) : body;

/** A long unexpected response is probably a list of something else, so it is not parsed again. */
const mostBytes = 1_000_000;

const lengthOf = ({ body }: HttpResponse): number => (Buffer.isBuffer(body) ? body.length : 0);

/** Describes an unexpected response without quoting any of its values. */
function describe(response: HttpResponse, expected: string): Outcome {
	const { statusCode } = response;
	const body = lengthOf(response) > mostBytes ? undefined : parsedBody(response);
	const isBusy = statusCode === 429 || statusCode >= 500;
	const fields = isObject(body) ? namesIn(body.errors) : '';
	const isAboutKeys = /PublicKey|SecretKey/.test(fields);
	if (isObject(body) && body.status === 'failed' && (isAboutKeys || !isBusy)) {
		const about = fields === '' ? '' : ` Fields it names: ${fields}.`;
		const keys = !isAboutKeys
			? ''
			: missingHeaders(body.errors).length > 0
				? ' The keys did not arrive: a proxy may be removing these headers.'
				: ' The keys are wrong.';
		const status = statusCode === 200 ? '' : ` (HTTP ${statusCode})`;
		const message = `The service refused the request${status}.${about}${keys}`;
		return { result: 'refused', message };
	}
	if (statusCode === 401 || statusCode === 403) {
		return { result: 'refused', message: `The service denied access (HTTP ${statusCode}).` };
	}
	if (isBusy) {
		const message = `The service is temporarily unavailable (HTTP ${statusCode}). Run the check again later.`;
		return { result: 'failed', message };
	}
	if (typeof body === 'string' && /^\s*</.test(body)) {
		const message = `Expected ${expected}. Received a web page (HTTP ${statusCode}).`;
		return { result: 'differs', message };
	}
	const inner = isObject(body) ? namesIn(body.message) : '';
	const outer = namesIn(body);
	const names = inner === '' ? outer : `${outer}; "message" has: ${inner}`;
	const came = names === '' ? 'Received something else' : `Received: ${names}`;
	return { result: 'differs', message: `Expected ${expected}. ${came} (HTTP ${statusCode}).` };
}

function expectationOf({ endpoint, form, label }: Probe): string {
	if (endpoint.key === undefined) return label.toLowerCase();
	return `a ${form === 'record' ? 'record' : 'list'} named "${endpoint.key}"`;
}

interface Sight {
	response: HttpResponse;
	info: RequestInfo;
	probe: Probe;
	observation: Observation;
}

/** What an expected response shows. */
function observe(sight: Sight): Outcome {
	const { response, info, probe, observation } = sight;
	const { form, needed } = probe;
	if (form === 'file') return observeFile(sight);
	if (form === 'places') return observePlaces(sight);
	const source = probe.endpoint as KeyedEndpoint;
	const parsed = { ...response, body: parsedBody(response) };
	if (form === 'texts') observation.records = readList(parsed, source, info).length;
	else {
		const glimpse = glimpser(countFields[probe.kind ?? '']);
		const seen =
			form === 'record'
				? [glimpse(readRecord(parsed, source.key, info))]
				: readEach(response, source, info, glimpse);
		for (const one of seen) observation.add(one);
	}
	const { records } = observation;
	if (records === 0) {
		return { result: 'empty', message: 'Works. The list is empty, so no fields were compared.' };
	}
	const lacking = observation.lacking(needed);
	if (lacking.length > 0) {
		const message = `Expected ${lacking.join(', ')} in every record. Some records do not have all of these.`;
		return { result: 'differs', message };
	}
	return {
		result: 'works',
		message: `Works: ${records === 1 ? '1 record' : `${records} records`}.`,
	};
}

/** The sample file (20): the reference shows an empty object in its place. */
function observeFile({ response, info }: Sight): Outcome {
	const text = Buffer.isBuffer(response.body) ? response.body.toString('utf8').trim() : '';
	if (isSampleFile(response, text)) return { result: 'works', message: 'Works: a file.' };
	const parsed = { ...response, body: parsedBody(response) };
	const isShown = response.statusCode === 200 && toJson(parsed.body) === '{}';
	if (!isShown && !isNotFound(parsed)) readEnvelope(parsed, info);
	return { result: 'works', message: 'Works. The service has no sample file.' };
}

/** Countries, states and cities; the reference does not show their fields (50). */
function observePlaces({ response, info, probe, observation }: Sight): Outcome {
	const message = readEnvelope({ ...response, body: parsedBody(response) }, info);
	const countries = isObject(message) && Array.isArray(message.countries) ? message.countries : [];
	observation.records = readCountries(countries).length;
	if (observation.records > 0) {
		return { result: 'works', message: `Works: ${observation.records} countries.` };
	}
	return { ...describe(response, `${expectationOf(probe)} with an ID and a name`) };
}

/** Sends one request. A failure is a finding like any other. */
export async function sendProbe(
	client: Client,
	probe: Probe,
	query: Record<string, string>,
): Promise<Finding> {
	const { endpoint } = probe;
	const finding: Finding = {
		...{ probe, result: 'failed', message: '', bytes: 0, milliseconds: 0 },
		...{ observation: new Observation(), saysNothing: false, usedOtherMethod: false },
	};
	const started = Date.now();
	let last: HttpResponse | undefined;
	const judge = (response: HttpResponse, info: RequestInfo): Outcome => {
		last = response;
		finding.milliseconds = Date.now() - started;
		finding.bytes = lengthOf(response);
		finding.saysNothing = endpoint.key !== undefined && !Buffer.isBuffer(response.body);
		// A response that was cut off is read again.
		finding.observation = new Observation();
		return observe({ response, info, probe, observation: finding.observation });
	};
	const { otherMethod, ...asShown } = endpoint;
	try {
		const request = { endpoint: asShown, query, responseEncoding: 'arraybuffer' } as const;
		const outcome = await client.read(request, judge);
		return { ...finding, ...outcome };
	} catch (error) {
		if (otherMethod !== undefined && last && isMethodRefused(last)) {
			const other = { ...asShown, method: otherMethod };
			const found = await sendProbe(client, { ...probe, endpoint: other }, query);
			return { ...found, usedOtherMethod: true };
		}
		const failed = { ...finding, milliseconds: Date.now() - started };
		if (last !== undefined) return { ...failed, ...describe(last, expectationOf(probe)) };
		const { message } = toFailure(error, endpoint);
		return { ...failed, message: `No response. ${message}.` };
	}
}
