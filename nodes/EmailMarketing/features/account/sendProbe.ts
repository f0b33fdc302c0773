import type { Client } from '../../service/client';
import {
	isNotFound,
	missingHeaders,
	readEnvelope,
	readList,
	readRecord,
	readRecords,
} from '../../service/envelope';
import type { KeyedEndpoint } from '../../service/endpoints';
import { toFailure } from '../../service/errors';
import type { HttpResponse, RequestInfo } from '../../service/failure';
import { parseJson } from '../../service/json';
import { isSampleFile } from '../../service/sampleFile';
import { readCountries } from '../locations/countryShape';
import { isObject, toJson } from '../../util/coerce';
import { truncateList } from '../../util/text';
import { countOnly, observe } from './observation';
import type { Observation } from './observation';
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
}

/** What an expected response shows. */
function judge(sight: Sight): Outcome {
	const { response, info, probe } = sight;
	const { form } = probe;
	if (form === 'file') return judgeFile(sight);
	if (form === 'places') return judgePlaces(sight);
	const source = probe.endpoint as KeyedEndpoint;
	if (form === 'records') return judgeRecords(observe(readRecords(response, source, info), probe));
	const parsed = { ...response, body: parsedBody(response) };
	if (form === 'texts') return judgeRecords(countOnly(readList(parsed, source, info).length));
	return judgeRecords(observe([readRecord(parsed, source.key, info)], probe));
}

function judgeRecords(observation: Observation): Outcome {
	const { records, lacking } = observation;
	if (records === 0) {
		const message = 'Works. The list is empty, so no fields were compared.';
		return { result: 'empty', message, observation };
	}
	if (lacking.length > 0) {
		const message = `Expected ${lacking.join(', ')} in every record. Some records do not have all of these.`;
		return { result: 'differs', message, observation };
	}
	const message = `Works: ${records === 1 ? '1 record' : `${records} records`}.`;
	return { result: 'works', message, observation };
}

/** The sample file (20): the reference shows an empty object in its place. */
function judgeFile({ response, info }: Sight): Outcome {
	const text = Buffer.isBuffer(response.body) ? response.body.toString('utf8').trim() : '';
	if (isSampleFile(response, text)) return { result: 'works', message: 'Works: a file.' };
	const parsed = { ...response, body: parsedBody(response) };
	const isShown = response.statusCode === 200 && toJson(parsed.body) === '{}';
	if (!isShown && !isNotFound(parsed)) readEnvelope(parsed, info);
	return { result: 'works', message: 'Works. The service has no sample file.' };
}

/** Countries, states and cities; the reference does not show their fields (50). */
function judgePlaces({ response, info, probe }: Sight): Outcome {
	const message = readEnvelope({ ...response, body: parsedBody(response) }, info);
	const countries = isObject(message) && Array.isArray(message.countries) ? message.countries : [];
	const records = readCountries(countries).length;
	if (records === 0) return describe(response, `${expectationOf(probe)} with an ID and a name`);
	return {
		result: 'works',
		message: `Works: ${records} countries.`,
		observation: countOnly(records),
	};
}

/** Sends one request. A failure is a finding like any other. */
export async function sendProbe(
	client: Client,
	probe: Probe,
	query: Record<string, string>,
): Promise<Finding> {
	const { endpoint } = probe;
	const started = Date.now();
	const finding: Finding = {
		...{ probe, result: 'failed', message: '', bytes: 0, milliseconds: 0 },
		observation: countOnly(0),
	};
	let last: HttpResponse | undefined;
	try {
		const request = { endpoint, query, responseEncoding: 'arraybuffer' } as const;
		const outcome = await client.read(request, (response, info) => {
			last = response;
			finding.milliseconds = Date.now() - started;
			finding.bytes = lengthOf(response);
			return judge({ response, info, probe });
		});
		return { ...finding, ...outcome };
	} catch (error) {
		const failed = { ...finding, milliseconds: Date.now() - started };
		if (last !== undefined) return { ...failed, ...describe(last, expectationOf(probe)) };
		const { message } = toFailure(error, endpoint);
		return { ...failed, message: `No response. ${message}.` };
	}
}
