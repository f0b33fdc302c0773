import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { EmailMarketingApi } from '../../credentials/EmailMarketingApi.credentials';
import { EmailMarketing } from '../../nodes/EmailMarketing/EmailMarketing.node';
import { EmailMarketingTrigger } from '../../nodes/EmailMarketing/EmailMarketingTrigger.node';
import { readStoredState } from '../../nodes/EmailMarketing/features/sync/memory/syncState';
import { errorCodes } from '../../nodes/EmailMarketing/service/errorCode';
import { EMPTY_STATE } from '../../nodes/EmailMarketing/trigger/state';
import type { Schema } from '../engine/outputSchema';

/** What saved workflows depend on, a list of entries by what they are about. */
export type Interface = Record<string, string[]>;

export interface Change {
	/** Of the package. */
	version: string;
	removed: string[];
	added: string[];
}

/** The values of another field with which a field is shown; fields in a collection name it with a slash. */
const shownWith = ({ displayOptions: { show = {} } = {} }: INodeProperties, name: string) =>
	((show[name] ?? show[`/${name}`]) as string[] | undefined) ?? [];

const withDefault = (value: unknown) =>
	value === undefined || value === '' ? '' : ` = ${JSON.stringify(value)}`;

/** What a field is, and for which operations it is shown, by where that belongs. */
function partsOf(owner: string, property: INodeProperties, path = ''): Array<[string, string]> {
	const name = `${path}${property.name}`;
	const resources = shownWith(property, 'resource');
	const kinds = resources.length === 0 ? [owner] : resources.map((one) => `${owner} ${one}`);
	const own = [
		`parameter ${name} ${property.type}${withDefault(property.default)}`,
		...(property.modes ?? []).map(({ name: mode }) => `mode ${name} ${mode}`),
	];
	const operations = shownWith(property, 'operation');
	const parts = kinds.flatMap((kind): Array<[string, string]> => [
		...own.map((what): [string, string] => [kind, what]),
		...operations.map((operation): [string, string] => [`${kind}.${operation}`, `has ${name}`]),
	]);
	for (const option of property.options ?? []) {
		if ('type' in option) parts.push(...partsOf(owner, option as INodeProperties, `${name}.`));
		else if ('values' in option) {
			const collection = option as INodePropertyCollection;
			for (const inner of collection.values) {
				parts.push(...partsOf(owner, inner, `${name}.${collection.name}.`));
			}
		} else {
			const { value } = option as INodePropertyOptions;
			for (const kind of kinds) parts.push([kind, `value ${name} = ${String(value)}`]);
		}
	}
	return parts;
}

function ofProperties(owner: string, properties: INodeProperties[]): Interface {
	const found: Interface = {};
	for (const property of properties.filter(({ type }) => type !== 'notice')) {
		for (const [group, what] of partsOf(owner, property)) (found[group] ??= []).push(what);
	}
	return found;
}

function ofNode({ name, version, outputs, properties }: INodeTypeDescription): Interface {
	const whole = [`version ${[version].flat().join(', ')}`, `outputs ${String(outputs)}`];
	const { [name]: general = [], ...others } = ofProperties(name, properties);
	return { [name]: [...whole, ...general], ...others };
}

function keysOf({ type, properties, items }: Schema, path = ''): string[] {
	const own = path === '' ? [] : [`${path} ${[type].flat().join('|')}`];
	const inner = Object.entries(properties ?? {}).flatMap(([key, schema]) =>
		keysOf(schema, path === '' ? key : `${path}.${key}`),
	);
	return [...own, ...inner, ...(items ? keysOf(items, `${path}[]`) : [])];
}

/** From the previews of the output, which a test compares with what each operation returns. */
function outputs(): Interface {
	const folder = join(__dirname, '../../nodes/EmailMarketing/__schema__/v1.0.0');
	return Object.fromEntries(
		readdirSync(folder).flatMap((resource) =>
			readdirSync(join(folder, resource)).map((file) => {
				const schema = JSON.parse(readFileSync(join(folder, resource, file), 'utf8')) as Schema;
				return [`output ${resource}.${file.replace('.json', '')}`, keysOf(schema)];
			}),
		),
	);
}

/** As the code is. */
export function interfaceNow(): Interface {
	const { name, properties } = new EmailMarketingApi();
	const all: Interface = {
		...ofNode(new EmailMarketing().description),
		...ofNode(new EmailMarketingTrigger().description),
		...ofProperties(name, properties),
		...outputs(),
		error: [...errorCodes],
		state: [`sync ${readStoredState(undefined, '').format}`, `trigger ${EMPTY_STATE.format}`],
	};
	const sorted = Object.keys(all).sort();
	return Object.fromEntries(sorted.map((group) => [group, [...new Set(all[group])].sort()]));
}

/** One for each thing that can change. */
export const lines = (all: Interface): string[] =>
	Object.entries(all).flatMap(([group, entries]) => entries.map((entry) => `${group} ${entry}`));

/** The first release, with what has changed since. */
export function withChanges(first: readonly string[], listed: readonly Change[]): string[] {
	const all = new Set(first);
	for (const { version, removed, added } of listed) {
		for (const line of removed) {
			if (!all.delete(line)) throw new Error(`${version} removes what is not there: ${line}`);
		}
		for (const line of added) {
			if (all.has(line)) throw new Error(`${version} adds what is there: ${line}`);
			all.add(line);
		}
	}
	return [...all];
}
