const { join } = require('node:path');
const { projects, testTimeout } = require('../../jest.config.js');

const unit = projects.find(({ displayName }) => displayName === 'unit');

/** One project, as Stryker takes no more; scripts/mutation.ts says which tests of `unit` and `engine` it has. */
module.exports = {
	...unit,
	displayName: 'mutation',
	rootDir: '../..',
	roots: ['<rootDir>/test/unit', '<rootDir>/test/engine'],
	testTimeout,
	// A path as it is: Stryker loads it, and knows no <rootDir>.
	testEnvironment: join(__dirname, 'environment.js'),
	runner: '<rootDir>/test/mutation/runner.js',
	moduleNameMapper: { '^fast-check$': join(__dirname, 'fastCheck.js') },
};
