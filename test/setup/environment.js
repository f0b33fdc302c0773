const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

// Jest runs tests in a context of node:vm, where each look at a global takes long, and whose Error and Array
// are not those of packages that were loaded outside. This stands for the context that everything is in.
const here = {};
const { compileFunction } = vm;
/** What V8 has compiled, by file: each test file runs a module anew, but V8 compiles and optimizes it once in a worker. */
const compiled = new Map();
vm.compileFunction = (code, parameters, options) => {
	if (options?.parsingContext !== here) return compileFunction(code, parameters, options);
	const known = compiled.get(options.filename);
	if (known?.code === code) return known.run;
	const run = compileFunction(code, parameters, { ...options, parsingContext: undefined });
	compiled.set(options.filename, { code, run });
	return run;
};

/** Where Jest keeps the tests of a file, and who is told of them: the next file would tell these too. */
const ofOneFile = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** Runs tests in the context of their worker. Each file has its own modules; see loadOnce.js for packages. */
module.exports = class OneContext {
	global = globalThis;
	fakeTimers = null;
	moduleMocker = new ModuleMocker(globalThis);
	globals = Object.getOwnPropertyDescriptors(globalThis);
	env = { ...process.env };
	getBuiltinModule = process.getBuiltinModule;

	constructor({ projectConfig }) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		globalThis.loadOnce = require;
		Error.stackTraceLimit = 100;
	}

	async setup() {}

	/** Leaves to the next file what the first one found. */
	async teardown() {
		this.fakeTimersModern.dispose();
		for (const [name, descriptor] of Object.entries(this.globals)) {
			if (descriptor.configurable) Object.defineProperty(globalThis, name, descriptor);
		}
		for (const name of Object.keys(process.env)) {
			if (!(name in this.env)) delete process.env[name];
		}
		Object.assign(process.env, this.env);
		process.getBuiltinModule = this.getBuiltinModule;
		for (const key of Object.getOwnPropertySymbols(globalThis)) {
			if (ofOneFile.has(key.description)) delete globalThis[key];
		}
	}

	exportConditions = () => ['node', 'node-addons'];
	getVmContext = () => here;
};
