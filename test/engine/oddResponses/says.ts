import { brokeOff, inTime, notUnderstood } from '../faults/table';
import type { Says } from './calls';

const proxyOrUrl =
	'heck any proxy in between, and that "Base URL" in the credential leads to the API.';
const again = 'Try again. If this happens again, c';

export const tooLate: Says = { ...inTime, isRepeated: true };
export const lost: Says = { ...brokeOff, isRepeated: true };
export const notRead: Says = { ...notUnderstood, isRepeated: true };
export const otherJson: Says = { ...notUnderstood, isRepeated: false };
export const damaged: Says = {
	message: 'The response of the service is corrupted',
	remedy: again + proxyOrUrl,
	httpCode: null,
	isRepeated: true,
};
export const empty = (httpCode = '200'): Says => ({
	message: 'The service returned an empty response',
	remedy: `${again}heck that "Base URL" in the credential leads to the API.`,
	httpCode,
	isRepeated: true,
});
export const webPage: Says = {
	message: 'The service returned a web page instead of data (HTTP 200)',
	remedy:
		'"Base URL" in the credential probably points to a website or a login page. It must be the root of the API.',
	httpCode: '200',
	isRepeated: false,
};
export const tooLong = (megabytes: number): Says => ({
	message: `The response of the service is longer than ${megabytes} MB`,
	remedy: `C${proxyOrUrl}`,
	httpCode: '200',
	isRepeated: false,
});
