import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Clearance } from '../../../service/clearance';
import type { Client } from '../../../service/client';
import { endpoints } from '../../../service/endpoints';
import { readEnvelope, unexpectedShape } from '../../../service/envelope';
import { ServiceError, serviceErrorOf } from '../../../service/failure';
import type { Fields } from '../../../service/form';
import { fetchList } from '../../../service/lists';
import { recordKey } from '../../../run/mergeCurrent';
import { notSent } from '../../../run/writer/outcome';
import { Starts } from '../../../run/writer/starts';
import { requestOf, sendingTurn, write } from '../../../run/writer/write';
import type { Action, WriteRequest } from '../../../run/writer/write';
import type { Caller, ItemWork } from '../../../run/operation';
import { readParameters } from '../../../run/parse';
import type { RunContext } from '../../../run/runContext';
import { InvalidInput } from '../../../params/invalidInput';
import type { Item } from '../../../params/item';
import { fullDate } from '../../../params/schedule';
import { isScheduled } from '../../../records/records';
import { testName, testSubject } from '../../../records/testName';
import { coerceText, isObject } from '../../../util/coerce';
import { Cancelled } from '../../../util/pool';
import { withoutUnsubscribed } from '../checks/audience';
import { recentListsOf, refusalOf, withId } from '../checks/findings';
import { existingUtr, missingFields, readExisting } from '../readSingleSend';
import {
	checkStoredContent,
	clearTest,
	refuseInEvaluation,
	sentState,
	startKey,
} from '../sendingGate';
import { hasPassed } from '../sendTime';
import { checkContent, hasOwnBody } from '../checks/singleSend';
import { contentFields } from '../singleSendFields';
import { checkTestList, readTestList, refuseChange, testListOf } from './testList';
import type { TestList } from './testList';

interface TestParameters {
	testList: TestList;
	/** The content to test: that of an existing single send, or that of the item itself. */
	content: { sourceUtr: string; storedContent: unknown } | { sourceUtr: undefined; fields: Fields };
}

function readTestParameters(item: Item): TestParameters {
	const testList = testListOf(item);
	const sourceUtr = existingUtr(item);
	if (sourceUtr === undefined) {
		return {
			testList,
			content: { sourceUtr, fields: readParameters(item, contentFields()) },
		};
	}
	// What is sent of the campaign depends on this option.
	const storedContent = item.param('options.storedContent', '');
	return { testList, content: { sourceUtr, storedContent } };
}

/**
 * The content of a test, and the campaign that it is of, if that exists.
 *
 * @throws InvalidInput if something is missing
 */
async function readContent(
	caller: Caller,
	content: TestParameters['content'],
): Promise<{ fields: Fields; source?: IDataObject }> {
	if (content.sourceUtr === undefined) return { fields: content.fields };
	const inputs = contentFields();
	const { fields: all, record } = await readExisting(caller, content.sourceUtr);
	const fields = Object.fromEntries(Object.keys(inputs).map((name) => [name, all[name]]));
	const findings = [...checkStoredContent(record, caller.item), ...missingFields(fields, inputs)];
	if (findings.length > 0) throw refusalOf(findings, '');
	return { fields, source: record };
}

const testOf = (content: Fields, contactTypeId: string): Fields => ({
	...content,
	single_send_name: testName(coerceText(content.single_send_name)),
	subject: testSubject(coerceText(content.subject)),
	recipient_id: [`contacts_${contactTypeId}`],
	schedule_type: '0',
});

const uncertain = ({ failure }: ServiceError, name: string): ServiceError =>
	new ServiceError({
		...failure,
		code: 'test-uncertain',
		message: `The test may have been sent: ${failure.message}`,
		description: `Look for the campaign "${name}" in the service before you send another test.`,
	});

/** A test that may be sent: its content, and who receives it. */
interface CheckedTest {
	fields: Fields;
	source?: IDataObject;
	/** The test list. */
	addresses: string[];
	/** Those of the list who have not unsubscribed. */
	recipients: string[];
	clearance: Clearance<'sending'>;
	/** What the recipients get: the content, with the template as it is now. */
	subject: string;
}

/**
 * Reads the content and the recipients of a test, and checks them.
 *
 * @throws InvalidInput
 * @throws ServiceError
 */
async function checkTest(
	caller: Caller,
	{ testList, content }: TestParameters,
): Promise<CheckedTest> {
	const lists = recentListsOf(caller);
	const { fields, source } = await readContent(caller, content);
	await checkTestList(testList, lists);
	const addresses = await readTestList(caller.client, testList);
	const clearance = clearTest((await checkContent(fields, lists)).flat());
	const groupId = coerceText(fields.unsubscribe_group_id);
	const recipients = await withoutUnsubscribed(addresses, groupId, lists);
	if (recipients.length === 0) {
		throw new InvalidInput(
			'test-list-unsubscribed',
			'No one would receive the test: everyone on "Test List" has unsubscribed',
			'Add an address that has not unsubscribed to the list.',
		);
	}
	const template = hasOwnBody(fields)
		? undefined
		: withId(await lists.records(endpoints.designTemplate.getAll), fields.template_id);
	const { id, json_code, html_code, updated_at } = template ?? {};
	const design = [id, json_code, html_code, updated_at];
	const subject = JSON.stringify([testList.id, recordKey(content.sourceUtr ?? ''), fields, design]);
	return { fields, source, addresses, recipients, clearance, subject };
}

/** A test as it is sent. */
interface SentTest extends CheckedTest {
	body: Fields;
}

/** How the starts of an execution name a test. */
const subjectOf = ({ run }: Caller, { subject }: CheckedTest): string =>
	`test ${run.account} ${subject}`;

/**
 * Checks the test and sends it (38). Its list is read once more directly before.
 *
 * @returns the test, and the output of the request; no test if an earlier item has sent the same one
 */
async function send(
	caller: Caller,
	parameters: TestParameters,
): Promise<{ test?: SentTest; output: IDataObject }> {
	const { run, item } = caller;
	const { testList } = parameters;
	const endpoint = endpoints.singleSend.create;
	const starts = new Starts(run);
	let test: SentTest | undefined;
	const action: Action = {
		part: parameters,
		record: sendingTurn,
		async prepare() {
			const client = run.sendingClient(item);
			const checked = await checkTest({ ...caller, client }, parameters);
			const starter = starts.starterOf(subjectOf(caller, checked), item);
			if (starter !== undefined) {
				const message = `Not sent again: this is the same test as that of ${starter}`;
				return { kind: 'items', items: [{ json: { sent: false, message } }] };
			}
			refuseChange(checked.addresses, await readTestList(client, testList));
			run.pool.check();
			const body = testOf(checked.fields, testList.id);
			test = { ...checked, body };
			const { clearance } = checked;
			return requestOf(client, { endpoint, body, clearance, labels }, readUtr);
		},
	};
	const [outcome = notSent] = await write(run, [action], false);
	if (outcome.kind === 'notSent') throw new Cancelled();
	if (outcome.kind === 'failed' && outcome.effect === 'none') throw outcome.error;
	if (test) starts.note(subjectOf(caller, test), item);
	const output =
		outcome.kind === 'items'
			? (outcome.items[0]?.json ?? {})
			: { utr: await findTest(caller.client, test, outcome.error) };
	// A later node must not send the test to others.
	if (test) starts.note(startKey(run, coerceText(output.utr)), item);
	return { test, output };
}

/** As the editor shows them. */
const labels = {
	body: { ...contentFields(), recipient_id: { label: 'Test List' } },
};

function readUtr(...[response, info]: Parameters<WriteRequest['read']>): INodeExecutionData[] {
	const message = readEnvelope(response, info);
	const utr = isObject(message) ? coerceText(message.utr) : '';
	if (utr === '') throw unexpectedShape('"utr" is missing', response, info);
	return [{ json: { utr } }];
}

/**
 * The UTR of a test that may have been sent.
 *
 * @throws ServiceError if the list (37) cannot be read, or does not have it
 */
async function findTest(
	client: Client,
	test: SentTest | undefined,
	error: unknown,
): Promise<string> {
	const name = coerceText(test?.body.single_send_name);
	const sends = await fetchList(client, endpoints.singleSend.getAll).catch(serviceErrorOf);
	const found =
		sends instanceof ServiceError
			? undefined
			: sends.find((send) => send.single_send_name === name);
	const utr = coerceText(found?.utr);
	if (utr === '') throw uncertain(serviceErrorOf(error), name);
	return utr;
}

/** What to do next. Not in the output: it would lead agents to send the campaign. */
function tellNextStep(run: RunContext, source: IDataObject | undefined): void {
	if (source === undefined) {
		run.suggest(
			'Only the test was sent. Once it looks right in your inbox, set "Operation" of this node to "Create" and choose the recipients, "Send At" and "Account Time Zone"; the content is kept. Until then, every execution sends another test.',
		);
	} else if (sentState(source) === undefined && isScheduled(source) && !hasPassed(source)) {
		const { schedule_date: date, schedule_time: time } = source;
		run.showHint(
			`Only the test was sent. The campaign itself is scheduled for ${fullDate(date)} ${coerceText(time)}, and will be sent then. To change that, use "Campaign: Update".`,
			'warning',
		);
	} else if (sentState(source) !== undefined) {
		run.suggest(
			`Only the test was sent. The campaign itself ${sentState(source)}. To send it again, create another campaign with its content.`,
		);
	} else {
		run.suggest(
			'Only the test was sent. When it looks right in your inbox, schedule the campaign with "Campaign: Update".',
		);
	}
}

/** Single Send: Send Test. */
export const sendTest: ItemWork<TestParameters> = {
	read: readTestParameters,
	perform: performTest,
	changesData: true,
};

/** Sends each test once in an execution, however many items ask for the same one. */
async function performTest(caller: Caller, parameters: TestParameters): Promise<IDataObject> {
	refuseInEvaluation(caller.run);
	const { test, output } = await send(caller, parameters);
	if (!test) return output;
	tellNextStep(caller.run, test.source);
	return outputOf(test, coerceText(output.utr), parameters.content.sourceUtr);
}

function outputOf(
	{ fields, body, recipients }: SentTest,
	utr: string,
	sourceUtr: string | undefined,
): IDataObject {
	const { single_send_name, subject, preheader } = fields;
	return {
		sent: true,
		testName: body.single_send_name,
		testSubject: body.subject,
		// As in the campaign itself, for the node that creates it.
		...{ single_send_name, subject, preheader },
		recipients,
		recipientCount: recipients.length,
		message: 'The test was sent',
		utr,
		...(sourceUtr !== undefined && { sourceUtr }),
	};
}
