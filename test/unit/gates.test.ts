import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkConsent } from '../../nodes/EmailMarketing/features/consent/guard';
import type { RemovalClearance } from '../../nodes/EmailMarketing/features/contacts/contactWrites';
import { clearApproved } from '../../nodes/EmailMarketing/features/sync/removalGate';
import { endpoints, type Endpoint } from '../../nodes/EmailMarketing/service/endpoints';
import { addressKey } from '../../nodes/EmailMarketing/util/email';

const root = join(__dirname, '..', '..', 'nodes', 'EmailMarketing');

/** The files of the nodes whose code has the text. */
const filesWith = (text: RegExp) =>
	globSync('**/*.ts', { cwd: root })
		.filter((path) => text.test(readFileSync(join(root, path), 'utf8')))
		.sort();

test('each endpoint that can do harm has its gate', () => {
	const all = Object.values<Record<string, Endpoint>>(endpoints).flatMap((one) =>
		Object.values(one),
	);
	const gated = all.flatMap(({ number, gate }) => (gate ? [[gate, number]] : []));
	expect(gated.sort()).toEqual([
		...['19', '21', '23', '28', '50b'].map((number) => ['consent', number]),
		...['24', '25'].map((number) => ['removal', number]),
		...['38', '39', '41', '46', '49', '49d'].map((number) => ['sending', number]),
	]);
});

test('only the gates, and what runs them, issue clearances', () => {
	expect(filesWith(/new Clearance\(/)).toEqual([
		'features/campaigns/sendingGate.ts',
		'features/consent/guard.ts',
		'run/plan.ts',
	]);
	expect(filesWith(/new RemovalClearance\(/)).toEqual(['features/sync/removalGate.ts']);
	expect(filesWith(/as ClearedAddress/)).toEqual(['features/consent/guard.ts']);
	expect(filesWith(/: Gate<'\w+'> = |=> ?\(?: Gate</)).toEqual([
		'features/campaigns/sendingGate.ts',
		'features/contacts/consentGate.ts',
		'features/sync/removalGate.ts',
	]);
});

/** How code reaches the `write` of a client. */
const clientWrite =
	/(?<!\.)\.\s*write\b|\[\s*['"`]write|\{[^{};]*\bwrite\b[^{};]*\}(?:\s*:\s*\w*Client\b|[^;={}()]*=(?!>))/;

test('only the writer sends writes', () => {
	expect(filesWith(clientWrite)).toEqual(['run/writer/write.ts']);
});

test.each([
	'await client.write({ endpoint: add, body }, read);',
	'await run\n\t.clientFor(item)\n\t.write({ endpoint: add }, read);',
	'const send = run.client.write.bind(run.client);',
	'const { write } = run.client;',
	'const { read, write: send }: WritingClient = client;',
	'const send = async ({ write }: WritingClient) => await write(request, read);',
	"await client['write']({ endpoint: add }, read);",
])('a write elsewhere would be noticed: %s', (code) => {
	expect(code).toMatch(clientWrite);
});

const address = fc
	.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{1,8}$/))
	.map(([name, host]) => `${name}@${host}.example`);

/** Ways to write the address of a person. */
const spelling = fc.constantFrom<(one: string) => string>(
	(one) => one,
	(one) => one.toUpperCase(),
	(one) => `  ${one} `,
	(one) => `mailto:${one}`,
	(one) => `Ada <${one}>`,
	(one) => `${one},`,
	(one) => `${one.slice(0, 1)}\u200B${one.slice(1)}`,
	(one) => `someone@else.example; ${one}`,
);

test('nobody is cleared whose address is on a list, however it is written', () => {
	fc.assert(
		fc.property(address, spelling, spelling, fc.boolean(), (one, listed, given, isOther) => {
			const list = new Map([[addressKey(one), { reason: 'unsubscribed', list: listed(one) }]]);
			const consent = isOther
				? checkConsent(list, 'new@address.example', given(one))
				: checkConsent(list, given(one));
			expect(consent).toHaveProperty('suppression');
		}),
	);
});

test('whoever is on no list is cleared', () => {
	fc.assert(
		fc.property(address, address, (one, other) => {
			fc.pre(one !== other);
			const list = new Map([[addressKey(other), { reason: 'unsubscribed' }]]);
			expect(checkConsent(list, one)).toEqual({ cleared: one });
		}),
	);
});

test('a clearance is good for the contacts that it was issued for, and no others', () => {
	const ids = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 });
	fc.assert(
		fc.property(ids, ids, (cleared, wanted) => {
			const rows = cleared.map((contactId) => ({ action: 'deleted' as const, contactId }));
			const clearance: RemovalClearance = clearApproved(rows);
			const remove = () => clearance.require(wanted);
			if (wanted.every((id) => cleared.includes(id))) expect(remove()).toBe(clearance);
			else expect(remove).toThrow('no removal clearance');
		}),
	);
});
