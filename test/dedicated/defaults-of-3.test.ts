import { credentialType, sandboxCredential } from '../../scripts/lib/demo-data.ts';
import { itNeeds } from '../n8n/features.ts';
import {
	type DedicatedN8n,
	resetSandbox,
	sandbox,
	startDedicatedN8n,
	typeOf,
} from '../n8n/harness.ts';
import { readContext } from '../n8n/setup/context.ts';

jest.setTimeout(1_800_000);

describe("with n8n 3's defaults", () => {
	let own: DedicatedN8n | undefined;
	afterAll(async () => await own?.stop());

	itNeeds(
		'ssrfProtection',
		'a package installed by hand loads, and blocked addresses are named',
		async () => {
			await resetSandbox();
			own = await startDedicatedN8n(readContext().defaultsOf3);
			const names = (await own.client.nodeTypes()).map(({ name }) => name);
			expect(names).toContain(typeOf('emailMarketing'));

			const list = { resource: 'contactType', operation: 'getAll' };
			const allowed = await own.runNode(list);
			expect(allowed.error).toBeNull();
			// n8n may ask this address, and not its neighbor.
			const url = sandbox.url.replace('127.0.0.1', '127.0.0.2');
			const credential = await own.client.createCredential(
				'Blocked',
				credentialType,
				sandboxCredential(url),
			);
			const { error } = await own.runNode(list, [{}], {
				credentials: { [credentialType]: { id: credential.id, name: credential.name } },
			});
			expect(error).toMatchObject({
				message: 'The request was blocked because it resolves to a restricted IP address',
				description: expect.stringContaining('ask your n8n administrator'),
			});
		},
	);
});
