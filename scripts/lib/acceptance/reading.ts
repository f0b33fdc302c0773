import type { Settings } from '../../../sandbox/settings.ts';
import { type Service, text, type Answer, type Row } from './service.ts';

/** An ID that no account has. */
export const unknownId = '999999999';

/** Lists without a parent, those first whose failure is an empty list. */
const lists = ['/automations', '/get-design/template', '/get-dynamic/content'];
const otherLists = ['/contacts-type', '/segment/list', '/single-send/list', '/custom-fields'];

const listIn = ({ message }: Answer): unknown =>
	typeof message === 'object' && message !== null ? Object.values(message)[0] : undefined;

const isMissing = ({ isSuccess, errors }: Answer): boolean =>
	!isSuccess && /^record not found$/i.test(text(errors));

async function emptyLists(service: Service): Promise<Settings['emptyLists'] | undefined> {
	const shown = await Promise.all(lists.map(async (path) => await service.send('GET', path)));
	const others = await Promise.all(otherLists.map(async (path) => await service.send('GET', path)));
	if (others.some(isMissing)) return 'everywhere';
	if (shown.some(isMissing)) return 'failed';
	const found = [...shown, ...others].map(listIn);
	if (found.includes(null)) return 'null';
	return found.some((list) => Array.isArray(list) && list.length === 0) ? 'success' : undefined;
}

async function methods(service: Service): Promise<Settings['methods']> {
	const isAllowed = async (method: string) =>
		![404, 405].includes((await service.send(method, '/senders')).status);
	if (!(await isAllowed('GET'))) return 'listed';
	return (await isAllowed('POST')) ? 'both' : 'shown';
}

async function csvSample(service: Service): Promise<Settings['csvSample']> {
	const answer = await service.send('GET', '/contacts/csv-sample/download');
	if (/csv|octet-stream/.test(answer.contentType)) return 'file';
	return isMissing(answer) ? 'missing' : 'object';
}

async function segmentCounts(service: Service): Promise<Settings['segmentCounts'] | undefined> {
	const segments = await service.list('/segment/list');
	if (segments.some(({ segment_emails_count: count }) => Number(count) > 0)) return 'recipients';
	for (const segment of segments) {
		const query = { segment_id: text(segment.id) };
		if ((await service.list('/segment/email/list', query)).length > 0) return 'zero';
	}
	const sends = await service.list('/single-send/list');
	return sends.some(wasSentToSegments) ? 'whenSending' : undefined;
}

/** Whether somebody got it who is in no contact type that it was sent to. */
const wasSentToSegments = ({ recipient_id: recipients, triggered }: Row): boolean =>
	Number(triggered) > 0 &&
	Array.isArray(recipients) &&
	recipients.length > 0 &&
	recipients.every(({ table }: Row) => table === 'segments_');

/** The status of an automation that was live once and is not any more. */
const pauseStatus = (automations: Row[]): number | undefined =>
	automations
		.filter(({ live_at: liveAt }) => !/^(0000.*)?$/.test(text(liveAt)))
		.map(({ status }) => Number(status))
		.find((status) => status !== 1);

/** What requests that change nothing tell; undefined where the account has no record that would. */
export async function learnByReading(service: Service): Promise<Partial<Settings>> {
	const contact = await service.send('GET', '/contacts/details', {
		query: { contact_id: unknownId },
	});
	const content = listIn(await service.send('GET', '/get-dynamic/content'));
	return {
		failureStatus: contact.status === 200 ? 200 : 422,
		methods: await methods(service),
		emptyLists: await emptyLists(service),
		csvSample: await csvSample(service),
		segmentCounts: await segmentCounts(service),
		dynamicContent: Array.isArray(content) && content.length > 0 ? 'all' : 'none',
		pauseStatus: pauseStatus(await service.list('/automations')),
	};
}
