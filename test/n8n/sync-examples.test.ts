import { limits, removal, withCredentials } from '../../scripts/lib/workflow-json.ts';
import { readyToRun, shipped } from './examples.ts';
import { itNeeds } from './features.ts';
import { formLogin, page, submit } from './forms.ts';
import { n8n, sandbox, violations } from './harness.ts';

beforeEach(() => sandbox.reset('demo'));
afterEach(async () => expect(await violations()).toEqual([]));

test('who unsubscribed in the service is told to the CRM, and is not put back', async () => {
	const email_address = 'jacob.mcdonald.1@example.com';
	await sandbox.add('globalUnsubscribes', { email_address });
	// The other two have unsubscribed in the demo.
	const addresses = [email_address, 'uma.reddy@example.com', 'sven.lindqvist@example.com'];
	const unsubscribes = await sandbox.records('globalUnsubscribes');
	const dateOf = (address: string) =>
		unsubscribes.find((entry) => entry.email_address === address)?.created_at;
	const contactsOfThem = async () =>
		(await sandbox.records('contacts')).filter(({ email }) => addresses.includes(String(email)));
	const before = await contactsOfThem();
	expect(before.map(({ email }) => email)).not.toContain(email_address);
	const { nodes } = await n8n.runWorkflow(await readyToRun('two-way-unsubscribes.json'));
	expect(nodes['Update the CRM']?.items.map(({ json }) => json)).toEqual(
		addresses.map((address) => ({
			email: address,
			emailOptOut: true,
			emailOptOutDate: dateOf(address),
			emailOptOutList: 'Global Unsubscribes',
		})),
	);
	expect(await contactsOfThem()).toEqual(before);
	const { length } = await sandbox.records('contacts');
	expect(length).toBeGreaterThan(1_000);
});

describe('the import with an approval step', () => {
	const file = 'import-spreadsheet-with-approval.json';
	const csv = [
		'E-Mail,Vorname,Land',
		'ada.new@example.com,Ada,Deutschland',
		'ben.new@example.com,Ben,AT',
		'not an address,Cy,AT',
	].join('\r\n');
	const people = (text = csv) => new File([text], 'people.csv', { type: 'text/csv' });
	const consent = JSON.stringify(['Everyone in this file agreed to receive our emails']);

	let workflowId: string;
	let formUrl: string;
	beforeAll(async () => {
		await sandbox.reset('demo');
		const workflow = withCredentials(await readyToRun(file), await formLogin());
		const saved = await n8n.activate(workflow);
		workflowId = saved.id;
		const trigger = saved.nodes.find(({ type }) => type.endsWith('.formTrigger'));
		formUrl = `${n8n.client.url}/form/${trigger?.webhookId}`;
	});
	afterAll(async () => {
		await n8n.client.deactivate(workflowId);
	});

	async function upload(file = people()): Promise<string> {
		const answer = await submit(formUrl, file, consent);
		return (JSON.parse(answer) as { formWaitingUrl: string }).formWaitingUrl;
	}
	const imported = async () =>
		(await sandbox.records('contacts')).filter(({ email }) => email.endsWith('.new@example.com'));

	itNeeds('checkOfChoices', 'can be published only with a login and a contact type', async () => {
		await expect(n8n.activate(shipped(file))).rejects.toThrow();
	});

	test('refuses whoever has no login', async () => {
		await upload();
		const form = new FormData();
		form.set('field-0', people());
		form.set('field-1', consent);
		const [shown, sent] = await Promise.all([
			fetch(formUrl),
			fetch(formUrl, { method: 'POST', body: form }),
		]);
		expect([shown.status, sent.status]).toEqual([401, 401]);
	});

	test('shows what would change before anything is written, and imports when approved', async () => {
		const url = await upload();
		const plan = await page(url, 'Import these contacts?');
		expect(plan).toMatch(/create <b>2<\/b>/);
		expect(plan).toMatch(/fail for <b>1<\/b><ul><li>.*is not an email address/);
		expect(await imported()).toEqual([]);
		await submit(url, 'Yes, import');
		expect(await page(url, 'The contacts were imported')).toContain('2 contacts were created');
		const made = await imported();
		expect(made.map((contact) => contact.first_name).sort()).toEqual(['Ada', 'Ben']);
		expect(made.map((contact) => contact.contact_type_id)).toEqual([22, 22]);
	});

	test('writes what was shown, even if the contact changed meanwhile', async () => {
		const [contact] = await sandbox.records('contacts');
		const { id, email } = await sandbox.add('contacts', {
			...{ ...contact, id: undefined, contact_type_id: 22 },
			...{ email: 'cleo.new@example.com', first_name: 'Cleo' },
		});
		const url = await upload(people(`email,first_name\n${email},Chloe`));
		await page(url, 'Import these contacts?');
		await sandbox.change('contacts', id, { first_name: 'Clio' });
		await submit(url, 'Yes, import');
		expect(await page(url, 'The contacts were imported')).toContain('and 1 failed');
		expect((await imported()).map(({ first_name }) => first_name)).toEqual(['Clio']);
	});

	test('imports nothing from a file of which most rows fail, and says why', async () => {
		const rows = Array.from({ length: 20 }, (_, index) => `${index}.new@example.com,Ada,`);
		const url = await upload(
			people(['email,first_name,country', ...rows, `b.new@example.com,Ben,AT`].join('\n')),
		);
		const plan = await page(url, 'Import these contacts?');
		expect(plan).toMatch(
			/fail for <b>20<\/b><ul><li>Country is missing.*A limit stops this import/,
		);
		await submit(url, 'Yes, import');
		await page(url, 'Nothing was imported');
		expect(await imported()).toEqual([]);
	});

	test('shows whom it would remove, if somebody has chosen that', async () => {
		const { id } = await sandbox.add('contactTypes', { name: 'Members' });
		for (const name of ['ada', 'ben']) {
			await sandbox.add('contacts', { email: `${name}@example.com`, contact_type_id: id });
		}
		const workflow = withCredentials(await readyToRun(file), await formLogin());
		const rules = { removeAfter: '1', onlyAddedBySync: false };
		const options = { ...removal(rules), ...limits({ maxRemovalPercent: 100 }) };
		const contactTypeId = { __rl: true, mode: 'id', value: String(id) };
		const removing = { contactTypeId, missing: 'delete', options };
		const saved = await n8n.activate({
			...workflow,
			nodes: workflow.nodes.map((node) => ({
				...node,
				...(node.webhookId && { webhookId: `${node.webhookId}-removes` }),
				...(node.name === 'What would change' && {
					parameters: { ...node.parameters, ...removing },
				}),
			})),
		});
		const trigger = saved.nodes.find(({ type }) => type.endsWith('.formTrigger'));
		const csvOfOne = people('email,country\nada@example.com,AT');
		const answer = await submit(`${n8n.client.url}/form/${trigger?.webhookId}`, csvOfOne, consent);
		const { formWaitingUrl } = JSON.parse(answer) as { formWaitingUrl: string };
		const shown = await page(formWaitingUrl, 'Import these contacts?');
		expect(shown).toMatch(/delete <b>1<\/b> that the file does not have/);
		await submit(formWaitingUrl, 'Yes, import');
		const done = await page(formWaitingUrl, 'The contacts were imported');
		expect(done).toContain('Missing contacts deleted: 1.');
		await n8n.client.deactivate(saved.id);
	});

	test('writes nothing when it is not approved', async () => {
		const url = await upload();
		await page(url, 'Import these contacts?');
		await submit(url, 'No, change nothing');
		await page(url, 'Nothing was imported');
		expect(await imported()).toEqual([]);
	});
});
