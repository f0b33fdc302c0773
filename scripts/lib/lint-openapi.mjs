// @ts-check
// Lints an OpenAPI document: node scripts/lib/lint-openapi.mjs FILE. Prints each problem.
import { createConfig, lint } from '@redocly/openapi-core';

const [file = ''] = process.argv.slice(2);
const config = await createConfig({
	extends: ['recommended-strict'],
	// The HTTP status of failures is not shown.
	rules: { 'operation-4xx-response': 'off' },
});
for (const { message, location } of await lint({ ref: file, config })) {
	console.log(`${location[0]?.pointer ?? ''}: ${message}`);
	process.exitCode = 1;
}
