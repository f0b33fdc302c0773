const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join, relative } = require('node:path');
const { default: TestRunner } = require('jest-runner');
const { mutantIsActive } = require('./active.js');

/** In the copy of the project that Stryker works in: what the run without a mutant showed. */
const recordOf = (rootDir) => join(rootDir, '.work', 'mutation-tests.json');

/**
 * Stryker chooses tests by their names alone, and Jest would load every test file to look for them.
 * This one runs the files that have such tests, the quickest first, up to the first that fails.
 */
module.exports = class UntilKilled extends TestRunner {
	async runTests(tests, watcher, options) {
		const [first] = tests;
		if (first === undefined) return;
		const { rootDir } = first.context.config;
		if (!mutantIsActive()) return await this.record(tests, watcher, options, rootDir);
		const record = JSON.parse(readFileSync(recordOf(rootDir), 'utf8'));
		const { testNamePattern } = this._globalConfig;
		const pattern = new RegExp(testNamePattern ?? '', 'i');
		const fileOf = ({ path }) => record[relative(rootDir, path)] ?? { names: [], ms: 0 };
		const chosen = tests
			.filter((test) => fileOf(test).names.some((name) => pattern.test(name)))
			.sort((one, other) => fileOf(one).ms - fileOf(other).ms);
		let killed = false;
		this.on('test-file-success', ([, { numFailingTests, testExecError }]) => {
			killed ||= numFailingTests > 0 || testExecError !== undefined;
		});
		this.on('test-file-failure', () => {
			killed = true;
		});
		for (const test of chosen) {
			if (!killed) await super.runTests([test], watcher, options);
		}
	}

	async record(tests, watcher, options, rootDir) {
		const record = {};
		this.on('test-file-success', ([{ path }, { perfStats, testResults }]) => {
			const names = testResults.map(({ fullName }) => fullName);
			record[relative(rootDir, path)] = { names, ms: perfStats.runtime };
		});
		await super.runTests(tests, watcher, options);
		mkdirSync(dirname(recordOf(rootDir)), { recursive: true });
		writeFileSync(recordOf(rootDir), JSON.stringify(record));
	}
};
