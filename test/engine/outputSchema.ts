/** The part of JSON Schema that n8n's output previews are made of. */
export interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Objects whose keys depend on the account and the input. */
const free = new Set(['changedFields', 'unique_open_token']);

/** The custom fields of the account. */
const isFree = (key: string): boolean => key.startsWith('custom_field_');

function typeOf(value: unknown): string {
	if (value === null || value === undefined) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
	return typeof value;
}

/** A value that is null somewhere has the type that it has elsewhere. */
function typesOf(values: unknown[]): string | string[] {
	const types = [...new Set(values.map(typeOf))].filter((type) => type !== 'null').sort();
	return types.length > 1 ? types : (types[0] ?? 'null');
}

/** What all of these values look like, with the properties of objects in alphabetical order. */
export function schemaOf(values: unknown[], name = ''): Schema {
	const type = typesOf(values);
	if (type === 'array') {
		const entries = (values as unknown[][]).filter(Array.isArray).flat();
		return entries.length === 0 ? { type } : { type, items: schemaOf(entries) };
	}
	if (type !== 'object' || free.has(name)) return { type };
	const objects = values.filter((value) => typeOf(value) === 'object') as object[];
	const keys = [...new Set(objects.flatMap(Object.keys))].filter((key) => !isFree(key)).sort();
	const ofKey = (key: string) =>
		objects.filter((one) => key in one).map((one) => (one as Record<string, unknown>)[key]);
	return {
		type,
		properties: Object.fromEntries(keys.map((key) => [key, schemaOf(ofKey(key), key)])),
	};
}
