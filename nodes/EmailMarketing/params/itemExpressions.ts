/** Names in expressions with the same value for all items: all items of a node, and data of the run. */
const OF_ALL_ITEMS = new RegExp(
	[
		/\$(?:\(\s*(?:'[^']*'|"[^"]*")\s*\)|input)\s*\.\s*(?:all|first|last)\b/,
		/\$(?:env|execution|now|runIndex|today|vars|workflow)\b/,
		/\$(?:if|ifEmpty|items|jmespath|max|min|not)\s*\(/,
		/\$\{/,
	]
		.map(({ source }) => source)
		.join('|'),
	'g',
);

/** Whether an expression may return another value for each item. */
export const mayDependOnItem = (expression: string): boolean =>
	expression.replaceAll(OF_ALL_ITEMS, '').includes('$');

/** All expressions in a parameter as the workflow has it. */
export function expressionsIn(raw: unknown): string[] {
	if (typeof raw === 'string') return raw.startsWith('=') ? [raw] : [];
	return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(expressionsIn) : [];
}
