import { isDeepStrictEqual } from 'node:util';
import type { SandboxClient } from '../../scripts/lib/sandbox-client.ts';

async function recordsOf(sandbox: SandboxClient, addresses: Set<string>) {
	const contacts = await sandbox.records('contacts');
	return contacts.filter(({ email }) => addresses.has(email.toLowerCase()));
}

/**
 * Remembers what the service has of people who unsubscribed.
 *
 * @returns says what has been done to them since then: whatever it lists should not be
 */
export async function watchUnsubscribed(
	sandbox: SandboxClient,
	addresses: string[],
): Promise<() => Promise<string[]>> {
	const watched = new Set(addresses.map((address) => address.toLowerCase()));
	const before = await recordsOf(sandbox, watched);
	const ids = new Set(before.map(({ id }) => String(id)));
	const last = (await sandbox.journal()).at(-1)?.n ?? 0;
	return async () => {
		const entries = await sandbox.journal();
		const writes = entries.filter(({ n, method }) => n > last && method !== 'GET');
		const named = writes.flatMap(({ path, body }) => {
			const values = Object.entries(body ?? {}).flatMap(([name, value]) =>
				[value].flat().map((one) => ({ name, text: String(one).toLowerCase() })),
			);
			const isThem = values.some(
				({ name, text }) =>
					watched.has(text) || (/^(strIds|id|contact_id)\b/.test(name) && ids.has(text)),
			);
			return isThem ? [`${path} ${JSON.stringify(body)}`] : [];
		});
		const after = await recordsOf(sandbox, watched);
		return isDeepStrictEqual(after, before) ? named : [...named, 'their records have changed'];
	};
}

/** The addresses that more than one contact has. */
export async function doubled(sandbox: SandboxClient): Promise<string[]> {
	const seen = new Set<string>();
	const contacts = await sandbox.records('contacts');
	return contacts.flatMap(({ email }) => {
		if (seen.has(email)) return [email];
		seen.add(email);
		return [];
	});
}
