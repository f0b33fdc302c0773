import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { EmailMarketingApi } from '../../credentials/EmailMarketingApi.credentials';
import { EmailMarketingTrigger } from '../../nodes/EmailMarketing/EmailMarketingTrigger.node';
import { properties } from './operations';

const root = join(__dirname, '..', '..');

/** A field, and those inside it. */
const withInner = (property: INodeProperties): INodeProperties[] => [
	property,
	...((property.options ?? []) as INodeProperties[]).flatMap(withInner),
	...((property as { values?: INodeProperties[] }).values ?? []).flatMap(withInner),
];

it('offers a list first wherever one record is chosen', () => {
	const all = [...properties, ...new EmailMarketingTrigger().description.properties];
	const locators = all.flatMap(withInner).filter(({ type }) => type === 'resourceLocator');
	expect(locators.length).toBeGreaterThan(10);
	const wrong = locators.filter(
		({ modes, default: start }) =>
			modes?.[0]?.type !== 'list' || (start as { mode?: string }).mode !== 'list',
	);
	expect(wrong.map(({ name }) => name)).toEqual([]);
});

it('hides the secret key in the credential, and shows the public one', () => {
	const keys = new EmailMarketingApi().properties.filter(({ name }) => /key$/i.test(name));
	expect(keys.map(({ name, typeOptions }) => [name, typeOptions?.password])).toEqual([
		['publicKey', undefined],
		['secretKey', true],
	]);
});

it('names only files that exist in docs/dev/verification.md', () => {
	const text = readFileSync(join(root, 'docs', 'dev', 'verification.md'), 'utf8');
	const named = [...text.matchAll(/`([\w./*-]+\.(?:ts|md|json|svg))`/g)].map(
		([, path]) => path ?? '',
	);
	expect(named).toContain('test/n8n/package.test.ts');
	const missing = named.filter(
		(path) => globSync([path, `nodes/EmailMarketing/${path}`], { cwd: root }).length === 0,
	);
	expect(missing).toEqual([]);
});
