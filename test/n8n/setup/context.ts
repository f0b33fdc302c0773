import type { Owner } from '../../../scripts/lib/n8n-client.ts';

const variable = 'EMAIL_MARKETING_N8N_TEST';

/** What the global setup tells the test files. */
export interface TestContext {
	n8nUrl: string;
	/** The owner's session. n8n allows only a few logins in a while. */
	n8nCookie: string;
	sandboxUrl: string;
	credentialId: string;
	/** What a dedicated n8n needs. */
	installation: string;
	node: string;
	/** Settings that every n8n of the tests has. */
	env: Record<string, string>;
	/** As far as this n8n has them. */
	defaultsOf3: Record<string, string>;
	installedNodes: string;
	folder: string;
}

export const owner: Owner = { email: 'owner@example.com', password: 'Owner-of-tests-1' };

export function publishContext(context: TestContext): void {
	process.env[variable] = JSON.stringify(context);
}

/** @throws Error outside of the jest project "n8n", whose global setup starts n8n */
export function readContext(): TestContext {
	const text = process.env[variable];
	if (text === undefined) throw new Error('Run this with: npm run test:n8n');
	return JSON.parse(text) as TestContext;
}
