/** Code that is mutated together, and the tests that are about it. */
export interface Part {
	/** Below nodes/EmailMarketing. */
	mutate: string[];
	/** Below test, without `.test.ts`. */
	tests: string[];
}

/** The percentage of mutants that tests have to notice. */
export const leastScore = 85;

export const parts: Record<string, Part> = {
	trigger: {
		mutate: [
			'trigger/{events,milestones,pollLock,snapshotDiff,sources,state,statuses,watermarkDiff}.ts',
		],
		// Without the test of large lists, which takes as long as all others.
		tests: ['unit/trigger/!(description|state)', 'engine/trigger/snapshots'],
	},
	params: {
		mutate: ['params/*.ts'],
		tests: ['unit/{email,inputs,schedule}', 'unit/params/*'],
	},
	api: {
		mutate: ['service/*.ts'],
		tests: [
			'unit/service/*',
			'unit/{credential,inputs}',
			'engine/{binary,emptyLists,hostile,retryOnFail,values}',
			'engine/errors/*',
			'engine/faults/{cells,domains,hosts,passing,words}',
			'engine/operations/*',
		],
	},
	planner: {
		mutate: [
			'features/sync/{plan,savedPlan}/*.ts',
			'features/contacts/{identify,changes}.ts',
			'features/consent/guard.ts',
			'features/sync/removalGate.ts',
		],
		tests: [
			'unit/{contacts/*,gates,consent}',
			'engine/contacts/{applyPlan*,countries,customFields,executions,externalIds,limits,memory}',
			'engine/contacts/{missing,named,optionsOfExpressions,planColumns,removals,withoutMemory}',
			'engine/membership/*',
		],
	},
	executor: {
		mutate: [
			'features/sync/{syncContacts,writePlan,judge,verifyCreates}.ts',
			'features/contacts/contactWrites.ts',
		],
		tests: ['unit/contacts/*', 'engine/contacts/{sync,bulk,settling,answers,missing,workers}'],
	},
	engine: {
		mutate: ['run/*.ts', 'run/writer/*.ts'],
		tests: [
			'unit/run/*',
			'unit/{inputs,schedule}',
			// Without those that compare generated files, or take as long as all others.
			'engine/!(concurrency|contactFields|limits|reference|schema|searches)',
			'engine/{check,consent,errors,operations,preflight,sendTest}/*',
			'engine/contacts/!(sync)',
		],
	},
};

const reports = '.work/mutation';

/** The configuration of Stryker for one part. */
export function strykerOptions(
	name: string,
	{ mutate, tests }: Part,
	{ only, fresh }: { only?: string[]; fresh: boolean },
) {
	return {
		mutate: only ?? mutate.map((path) => `nodes/EmailMarketing/${path}`),
		testRunner: 'jest',
		jest: {
			configFile: 'test/mutation/jest.config.js',
			config: { testMatch: tests.map((path) => `<rootDir>/test/${path}.test.ts`) },
			// The runner of test/mutation does what this would do, and knows more.
			enableFindRelatedTests: false,
		},
		coverageAnalysis: 'perTest',
		// What is computed once when a file is loaded: tables and descriptions, which every test would have to run for.
		ignoreStatic: true,
		concurrency: 2,
		maxTestRunnerReuse: 300,
		// Against endless loops only: a busy machine takes its time.
		timeoutMS: 15_000,
		timeoutFactor: 2,
		dryRunTimeoutMinutes: 60,
		incremental: true,
		incrementalFile: `${reports}/${name}.incremental.json`,
		force: fresh,
		tempDirName: '.work/stryker',
		// The copy lies below the project, whose packages Node finds from there.
		symlinkNodeModules: false,
		ignorePatterns: [
			...['/.work', '/dist', '/coverage', '/docs/images', '/examples', '/runtime', '/bench'],
			// Nothing of it needs TypeScript, which Stryker would otherwise want beside itself.
			'/tsconfig*.json',
		],
		disableTypeChecks: false,
		warnings: { slow: false },
		reporters: [
			'clear-text',
			'json',
			'html',
			process.stdout.isTTY ? 'progress' : 'progress-append-only',
		],
		clearTextReporter: { allowEmojis: false, logTests: false, reportTests: false },
		jsonReporter: { fileName: `${reports}/${name}.json` },
		htmlReporter: { fileName: `${reports}/${name}.html` },
	};
}
