import type { Owner } from '../../../scripts/lib/n8n-client.ts';

const variable = 'EMAIL_MARKETING_BROWSER_TEST';

/** What the global setup tells the test files. */
export interface BrowserContext {
	chromium: string;
	n8nUrl: string;
	owner: Owner;
	/** The owner's session. n8n allows only a few logins in a while. */
	n8nCookie: string;
	sandboxUrl: string;
	/** The file that the first example reads. */
	contactsFile: string;
}

export function publishContext(context: BrowserContext): void {
	process.env[variable] = JSON.stringify(context);
}

/** @throws Error outside of the jest project "browser", whose global setup starts the demo */
export function readContext(): BrowserContext {
	const text = process.env[variable];
	if (text === undefined) throw new Error('Run this with: npm run test:browser');
	return JSON.parse(text) as BrowserContext;
}
