const project = (displayName, folders) => ({
	displayName,
	testEnvironment: 'node',
	roots: folders.map((folder) => `<rootDir>/test/${folder}`),
	testMatch: ['**/*.test.ts'],
	transform: { '\\.ts$': '@swc/jest' },
	// n8n-core ships some ES modules only; everything else is loaded as it is.
	transformIgnorePatterns: ['/node_modules/'],
});

module.exports = {
	// Against hangs only: a busy machine takes its time.
	testTimeout: 60_000,
	projects: [
		project('unit', ['unit']),
		project('sandbox', ['sandbox']),
		project('engine', ['engine']),
		project('fuzz', ['fuzz']),
		{
			...project('n8n', ['n8n']),
			globalSetup: '<rootDir>/test/n8n/setup/start.ts',
			globalTeardown: '<rootDir>/test/n8n/setup/stop.ts',
			runner: '<rootDir>/test/n8n/setup/serial-runner.js',
		},
		{
			...project('browser', ['browser']),
			globalSetup: '<rootDir>/test/browser/setup/start.ts',
			globalTeardown: '<rootDir>/test/browser/setup/stop.ts',
			runner: '<rootDir>/test/n8n/setup/serial-runner.js',
		},
	],
};
