import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import {
	NodeHelpers,
	type IDataObject,
	type INodeProperties,
	type INodePropertyCollection,
} from 'n8n-workflow';

import type { Input } from '../../nodes/EmailMarketing/params/validators';
import { labelOf } from '../../nodes/EmailMarketing/util/labels';
import { node, offered, optionsOf, properties, type Offered } from './operations';

const options = properties.find(({ name }) => name === 'options');
const inCollection = (property: INodeProperties) => (property.options ?? []) as INodeProperties[];
const isCollection = ({ type }: INodeProperties) => type === 'collection';

/** @param path of a field, such as `scheduleType` or `/updateFields.scheduleType` */
function withValue(values: IDataObject, path: string, value: unknown): IDataObject {
	const [name = '', ...rest] = path.replace(/^\//, '').split('.');
	const inner = { ...(values[name] as IDataObject | undefined) };
	return {
		...values,
		[name]: rest.length === 0 ? value : withValue(inner, rest.join('.'), value),
	} as IDataObject;
}

/** Values of other fields on which it depends what is shown for an operation, one combination at a time. */
function combinations({ resource, operation }: Offered): IDataObject[] {
	const controls = new Map<string, Set<unknown>>();
	for (const { displayOptions } of properties) {
		const {
			resource: ofResource = [resource],
			operation: of = [operation],
			...others
		} = displayOptions?.show ?? {};
		const concerns =
			(ofResource as unknown[]).includes(resource) && (of as unknown[]).includes(operation);
		for (const [name, values] of Object.entries(concerns ? others : {})) {
			const known = controls.get(name) ?? new Set<unknown>();
			for (const value of values ?? []) known.add(value);
			controls.set(name, known);
		}
	}
	return [...controls].reduce<IDataObject[]>(
		(found, [name, values]) =>
			found.flatMap((one) => [
				one,
				...[...values].map((value) => withValue(one, name, value)),
			]) as IDataObject[],
		[{}],
	);
}
const known = new Map(offered.map((offer) => [offer, combinations(offer)]));
const variantsOf = (offer: Offered): IDataObject[] => known.get(offer) ?? [];

const isShown = (
	property: INodeProperties,
	{ resource, operation }: Offered,
	values: IDataObject,
) =>
	NodeHelpers.displayParameter(
		{ resource, operation, ...values } as never,
		property,
		{ typeVersion: 1 },
		node.description,
	);

/** The fields that the editor shows for an operation, by the paths under which code reads them. */
function shownFor(offer: Offered): Map<string, INodeProperties> {
	const shown = new Map<string, INodeProperties>();
	for (const property of properties) {
		if (!variantsOf(offer).some((values) => isShown(property, offer, values))) continue;
		shown.set(property.name, property);
		if (!isCollection(property)) continue;
		for (const field of inCollection(property)) {
			const { show = {} } = field.displayOptions ?? {};
			const fits = (name: string, value: string) =>
				((show[name] as string[] | undefined) ?? [value]).includes(value);
			if (fits('/resource', offer.resource) && fits('/operation', offer.operation)) {
				shown.set(`${property.name}.${field.name}`, field);
			}
		}
	}
	return shown;
}

const inputsOf = ({ row }: Offered): Array<[string, Input]> =>
	Object.entries({ ...row?.query, ...row?.body });
const nameOf = ({ resource, operation }: Offered) => `${resource}.${operation}`;
const reachesService = offered.filter(({ endpoint }) => endpoint !== undefined);

describe.each(reachesService.map((offer) => [nameOf(offer), offer] as const))(
	'%s',
	(_name, offer) => {
		const shown = shownFor(offer);

		it('shows every field that its request is made from', () => {
			const read = inputsOf(offer)
				.map(([, { parameter }]) => parameter)
				.filter((parameter) => parameter !== '');
			const { file } = offer.row ?? {};
			if (file !== undefined) read.push(file.parameter);
			expect(read.filter((path) => !shown.has(path))).toEqual([]);
		});

		it('names its fields in errors as the editor shows them', () => {
			const named = inputsOf(offer)
				.filter(([, { parameter }]) => parameter !== '')
				.map(([field, { parameter, label }]) => [parameter, label ?? labelOf(field)]);
			expect(named).toEqual(named.map(([path]) => [path, shown.get(path ?? '')?.displayName]));
		});

		it('marks in the editor what cannot be left out', () => {
			const required = inputsOf(offer)
				.filter(([, input]) => input.required)
				.map(([, { parameter }]) => parameter)
				.filter((path) => path !== '' && !path.startsWith('updateFields.'));
			const unmarked = required.filter((path) => {
				const property = shown.get(path);
				const preset = property?.type === 'options' || property?.type === 'boolean';
				return !preset && property?.required !== true && property?.type !== 'number';
			});
			// Without a preview image, that of the template is sent.
			expect(unmarked).toEqual(nameOf(offer) === 'automationSchedule.create' ? ['previewImg'] : []);
		});
	},
);

/** All source files of the node, without the descriptions of fields themselves. */
function sources(folder: string): string[] {
	return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'trigger' ? [] : sources(path);
		return entry.name.endsWith('.ts') ? [readFileSync(path, 'utf8')] : [];
	});
}
const code = sources(join(__dirname, '../../nodes/EmailMarketing')).join('\n');

/** Whether code names this field other than to describe it: as a text, a template, a member or a part of an object. */
function isReadByName(path: string): boolean {
	const last = path.split('.').pop() ?? path;
	return [
		`(?<!name: )(['"\`])(?:[\\w.]+\\.)?${last}\\1`,
		`\\$\\{prefix\\}${last}\``,
		`\\.${last}\\b`,
		`[{,]\\s*${last}\\s*(?:,|\\}|: \\w+[,\\s}]|=)`,
	].some((pattern) => new RegExp(pattern).test(code));
}

it('reads every field that it shows, in an operation that shows it', () => {
	const read = new Set<string>();
	for (const offer of reachesService) {
		for (const [, { parameter }] of inputsOf(offer)) read.add(`${nameOf(offer)} ${parameter}`);
	}
	const unread = offered.flatMap((offer) =>
		[...shownFor(offer)]
			.filter(
				([path, { type }]) =>
					!['collection', 'notice'].includes(type) && path !== 'resource' && path !== 'operation',
			)
			.filter(([path]) => !read.has(`${nameOf(offer)} ${path}`))
			.map(([path]) => path)
			.filter((path) => !isReadByName(path)),
	);
	expect([...new Set(unread)]).toEqual([]);
	expect(isReadByName('neverRead')).toBe(false);
});

it('shows every field for some operation', () => {
	const hidden = properties.filter(
		(property) =>
			!offered.some((offer) =>
				variantsOf(offer).some((values) => isShown(property, offer, values)),
			),
	);
	expect(hidden.map(({ name }) => name)).toEqual([]);
});

it('shows one field of a name at a time', () => {
	const doubled = offered.flatMap((offer) =>
		variantsOf(offer).flatMap((values) => {
			const names = properties.filter((one) => isShown(one, offer, values)).map(({ name }) => name);
			return names.filter((name, index) => names.indexOf(name) !== index);
		}),
	);
	expect(doubled).toEqual([]);
});

/** A field, and those that stand in it when it is a collection. */
const withInner = (property: INodeProperties): INodeProperties[] => {
	const inner = isCollection(property)
		? inCollection(property)
		: property.type === 'fixedCollection'
			? (property.options as INodePropertyCollection[]).flatMap(({ values }) => values)
			: [];
	return [property, ...inner.flatMap(withInner)];
};
const everyField = properties.flatMap(withInner);

it('describes every field in words that are more than its name', () => {
	const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
	const poor = everyField.filter(({ name, type, displayName, description = '' }) => {
		// A notice says what it has to say by itself.
		if (type === 'notice' || ['resource', 'operation', 'options'].includes(name)) return false;
		return description === '' || plain(description) === plain(displayName);
	});
	expect(poor.map(({ name }) => name)).toEqual([]);
});

it('describes every operation, and says in a sentence what it does', () => {
	for (const { option } of offered) {
		expect(option.description).toMatch(/^[A-Z].+[^.]$|^[A-Z].+\. .+\.$/);
		expect(option.action).toMatch(/^[A-Z][a-z]+ /);
		expect(option.action).not.toBe(option.description);
	}
});

it('has camelCase names and values', () => {
	const choices = everyField
		.filter(
			({ type, name }) =>
				type === 'options' &&
				[
					'resource',
					'operation',
					'output',
					'templateSource',
					'scheduleType',
					'locationType',
				].includes(name),
		)
		.flatMap((property) => optionsOf(property).map(({ value }) => String(value)));
	const names = everyField.map(({ name }) => name);
	expect([...names, ...choices].filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))).toEqual([]);
});

it('has the methods that its fields name, and no others', () => {
	const named = {
		listSearch: new Set<string>(),
		loadOptions: new Set<string>(),
		resourceMapping: new Set<string>(),
	};
	for (const { modes = [], typeOptions = {} } of everyField) {
		for (const { typeOptions: list } of modes) {
			if (list?.searchListMethod) named.listSearch.add(list.searchListMethod);
		}
		if (typeOptions.loadOptionsMethod) named.loadOptions.add(typeOptions.loadOptionsMethod);
		const mapper = typeOptions.resourceMapper?.resourceMapperMethod;
		if (mapper) named.resourceMapping.add(mapper);
	}
	for (const kind of ['listSearch', 'loadOptions', 'resourceMapping'] as const) {
		expect([...named[kind]].sort()).toEqual(Object.keys(node.methods?.[kind] ?? {}).sort());
	}
});

it('calls the fields in "Fields to Clear" the same as in errors', () => {
	const clearable = inCollection(options as INodeProperties)
		.filter(({ name }) => name === 'clearFields')
		.flatMap(optionsOf);
	expect(clearable.map(({ value, name }) => [value, name])).toEqual(
		clearable.map(({ value }) => [value, labelOf(String(value))]),
	);
});

it('shows no limit where one item has all locations', () => {
	const offer = offered.find(({ resource }) => resource === 'location') as Offered;
	const lists = properties.filter(({ name }) => ['returnAll', 'limit', 'filters'].includes(name));
	const shown = (locationType: string) =>
		lists.filter((field) => isShown(field, offer, { locationType, returnAll: false }));
	expect(shown('all')).toEqual([]);
	expect(shown('cities')).toEqual(lists);
});
