import { buildScanConfig } from '@n8n/scan-community-package/scanner/scanner.mjs';
import tseslint from 'typescript-eslint';
import { globalIgnores } from 'eslint/config';

const published = ['package.json', '{nodes,credentials}/**/*.{ts,json}'];
const development = [
	'{sandbox,scripts,test,bench,docker,soak}/**/*.ts',
	'*.{js,mjs}',
	'scripts/**/*.mjs',
];

// What n8n's verification runs, on the files that it looks at; usual TypeScript rules on everything.
const verification = (await buildScanConfig()).map((config) => ({
	...config,
	files: config.files ?? published,
	ignores: ['{sandbox,scripts,test,runtime,bench,docker,soak,examples}/**'],
}));

export default [
	globalIgnores(['dist/', 'coverage/', '.work/', 'examples/']),
	{ linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
	...verification,
	...tseslint.configs.recommended.map((config) => ({
		...config,
		files: ['**/*.ts'],
	})),
	{
		files: ['{nodes,credentials,sandbox,scripts,test,bench,docker,soak}/**/*.ts'],
		rules: {
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
			eqeqeq: ['error', 'always', { null: 'ignore' }],
		},
	},
	{
		files: ['{nodes,credentials}/**/*.ts'],
		rules: {
			'no-restricted-syntax': [
				'error',
				{
					selector: 'CallExpression[callee.property.name=/^(?:push|unshift)$/] > SpreadElement',
					message: 'Spreading about 100,000 entries overflows the stack: push them one at a time.',
				},
			],
		},
	},
	{
		files: development,
		languageOptions: { sourceType: 'module' },
	},
];
