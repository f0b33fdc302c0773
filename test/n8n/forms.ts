import { setTimeout as sleep } from 'node:timers/promises';
import { formLoginName, formLoginType } from '../../scripts/lib/demo-data.ts';
import { n8n } from './harness.ts';

const login = { user: 'marketing', password: 'only-for-this-test' };
/** A form may ignore programs, which n8n recognizes by this. */
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const authorization = `Basic ${btoa(`${login.user}:${login.password}`)}`;

/** A credential for the login of forms; `submit` uses the same login. */
export async function formLogin(): Promise<Record<string, { id: string; name: string }>> {
	const { id } = await n8n.client.createCredential(formLoginName, formLoginType, login);
	return { [formLoginType]: { id, name: formLoginName } };
}

/** Gets a page of a form once it shows the text. While the workflow runs, n8n gives no answer at all. */
export async function page(url: string, text: string): Promise<string> {
	for (let tries = 0; tries < 40; tries++) {
		// A busy machine may need seconds.
		const body = await fetch(url, { signal: AbortSignal.timeout(500 + 100 * tries) })
			.then(async (response) => await response.text())
			.catch(() => '');
		if (body.includes(text)) return body;
		await sleep(100);
	}
	throw new Error(`${url} did not come to show "${text}"`);
}

/** Sends a form with one value for each field; that of a workflow just activated may take a moment to be there. */
export async function submit(url: string, ...values: Array<string | File>): Promise<string> {
	const form = new FormData();
	values.forEach((value, index) => form.set(`field-${index}`, value));
	for (let tries = 0; tries < 100; tries++) {
		const headers = { authorization, 'user-agent': browser };
		const response = await fetch(url, { method: 'POST', body: form, headers });
		if (response.ok) return await response.text();
		await sleep(100);
	}
	throw new Error(`${url} did not take the form`);
}
