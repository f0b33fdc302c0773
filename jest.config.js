const { availableParallelism } = require('node:os');

const project = (displayName, ...roots) => ({
	displayName,
	roots: roots.map((root) => `<rootDir>/${root}`),
	testMatch: ['**/*.test.ts'],
	transform: { '\\.ts$': '@swc/jest' },
});

/** What takes long to load, and what must be the same for tests and for n8n-core. */
const packages =
	'/node_modules/(?:@n8n/di|axios|fast-check|fastify|luxon|n8n-core|n8n-workflow|reflect-metadata|typescript)/';

/** Without a context of its own for each file. */
const fast = (...args) => ({
	...project(...args),
	testEnvironment: '<rootDir>/test/setup/environment.js',
	setupFiles: ['<rootDir>/test/setup/properties.js'],
	transform: { '\\.ts$': '@swc/jest', [packages]: '<rootDir>/test/setup/loadOnce.js' },
	transformIgnorePatterns: [`^(?!.*${packages}).*/node_modules/`],
});

/** On an n8n that all files share. */
const inN8n = (name, setup = name) => ({
	...project(name, `test/${name}`),
	globalSetup: `<rootDir>/test/${setup}/setup/start.ts`,
	globalTeardown: `<rootDir>/test/${setup}/setup/stop.ts`,
	runner: '<rootDir>/test/n8n/setup/serial-runner.js',
});

/** On a cluster that all files share: they run in the process of the global setup that starts it. */
const scale = {
	...project('scale', 'test/scale'),
	testEnvironment: '<rootDir>/test/setup/environment.js',
	globalSetup: '<rootDir>/test/scale/setup/start.ts',
	globalTeardown: '<rootDir>/test/scale/setup/stop.ts',
	runner: '<rootDir>/test/n8n/setup/serial-runner.js',
};

module.exports = {
	// Against hangs only: a busy machine takes its time.
	testTimeout: 300_000,
	// Tests wait for responses a third of the time.
	maxWorkers: Math.ceil(1.5 * availableParallelism()),
	projects: [
		fast('unit', 'test/unit', 'soak/test'),
		fast('sandbox', 'test/sandbox'),
		fast('engine', 'test/engine'),
		fast('fuzz', 'test/fuzz', 'test/simulation'),
		fast('project', 'test/project'),
		inN8n('n8n'),
		inN8n('browser'),
		inN8n('walkthrough', 'browser'),
		inN8n('dedicated', 'n8n'),
		scale,
	],
};
