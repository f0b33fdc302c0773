import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useSandbox } from './support.ts';

const readme = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
const context = useSandbox();

/** The requests that tell whether a service is compatible, and what the README says they return. */
const requests = [
	...readme.matchAll(/^curl (?<options>.*?)(?<url>https:\S+)\n# (?<answer>.*)$/gm),
].map(({ groups = {} }) => ({
	headers: [...(groups.options ?? '').matchAll(/-H '(\w+): \w+'/g)].map(([, name = '']) => name),
	path: (groups.url ?? '').replace('https://api.example.com', ''),
	// An ellipsis stands for the records.
	answer: (groups.answer ?? '').replace('[ … ]', '[]'),
}));

/** The answer, with an empty list in place of any other. */
const withoutRecords = (text: string): unknown =>
	JSON.parse(text, (_key, value: unknown) =>
		Array.isArray(value) && value.some((entry) => typeof entry === 'object') ? [] : value,
	) as unknown;

it('the requests of the README tell a compatible service', async () => {
	const { sandbox } = context.api;
	const keys: Record<string, string> = {
		PublicKey: 'sandbox-public-key',
		SecretKey: 'sandbox-secret-key',
	};
	expect(requests).toHaveLength(3);
	for (const { headers, path, answer } of requests) {
		const response = await fetch(sandbox.baseUrl + path, {
			headers: Object.fromEntries(headers.map((name) => [name, keys[name] ?? ''])),
		});
		expect(withoutRecords(await response.text())).toEqual(JSON.parse(answer));
	}
});
