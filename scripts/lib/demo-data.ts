/** What the demo and the tests set up in n8n. */
export const packageName = 'n8n-nodes-email-marketing';
export const credentialType = 'emailMarketingApi';
export const credentialName = 'Email Marketing sandbox';
export const formLoginType = 'httpBasicAuth';
export const formLoginName = 'Form login';

/** The data of a credential that the sandbox at `url` accepts. */
export const sandboxCredential = (url: string) => ({
	baseUrl: `${url}/api`,
	publicKey: 'sandbox-public-key',
	secretKey: 'sandbox-secret-key',
});
