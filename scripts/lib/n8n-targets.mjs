// @ts-check
// Every n8n that the package is tested with, each on a Node that its users have. Plain JavaScript,
// since run.mjs needs it before there is a Node that reads TypeScript.
import { n8n } from './installs.mjs';

/** @typedef {import('./installs.mjs').CachedInstallation} CachedInstallation */

/**
 * @typedef {object} Target
 * @property {string} name as in `npm run test:matrix -- --only NAME`
 * @property {string} n8nVersion
 * @property {string} [settings] what its settings are, where they are not n8n's own
 * @property {number} nodeMajor
 * @property {CachedInstallation} n8n
 * @property {CachedInstallation} [node] none for the Node 24 that runs the tests
 * @property {Record<string, string>} env settings of n8n
 */

/** Of each n8n that the matrix alone installs. */
const onlyInMatrix = {
	megabytes: 700,
	cachedGigabytes: 0.6,
	gigabytes: 2.2,
	minutes: 5,
	compiles: true,
};

const nodeFromNpm = { megabytes: 60, cachedGigabytes: 0.1, gigabytes: 0.2, minutes: 0.2 };

/** As far as n8n 2.41.1 has them: what n8n 3.0 does unless it is told otherwise. */
export const defaultsOf3 = {
	N8N_DEFAULT_BINARY_DATA_MODE: 'database',
	N8N_RUNNERS_TASK_TIMEOUT: '60',
	N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES: String(256 * 1024 ** 2),
	N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES: '1000',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'false',
	N8N_SSRF_PROTECTION_ENABLED: 'true',
	N8N_SSRF_BLOCKED_IP_RANGES: 'default,100.64.0.0/10,64:ff9b::/96,2002::/16,2001::/32',
	// Where the sandbox and the other servers of the tests listen.
	N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
};

/** @type {Target[]} */
export const targets = [
	{
		name: '1.123.81',
		n8nVersion: '1.123.81',
		nodeMajor: 20,
		settings: 'the legacy expression engine',
		n8n: {
			...onlyInMatrix,
			name: 'n8n-1',
			what: 'n8n 1.123.81',
			native: ['sqlite3'],
			// The binary interface of the Node that it is built for, as below.
			dependsOn: '115',
		},
		node: { ...nodeFromNpm, name: 'node-20', what: 'Node 20' },
		// The other one runs in isolated-vm, which needs Node 22.
		env: { N8N_EXPRESSION_ENGINE: 'legacy' },
	},
	{
		name: '2.0.3',
		n8nVersion: '2.0.3',
		nodeMajor: 22,
		n8n: {
			...onlyInMatrix,
			name: 'n8n-2.0',
			what: 'n8n 2.0.3',
			native: ['sqlite3'],
			dependsOn: '127',
		},
		node: { ...nodeFromNpm, name: 'node-22', what: 'Node 22' },
		env: {},
	},
	{ name: '2.41.1', n8nVersion: '2.41.1', nodeMajor: 24, n8n, env: {} },
	{
		name: '3.0-defaults',
		n8nVersion: '2.41.1',
		settings: "n8n 3.0's defaults",
		nodeMajor: 24,
		n8n,
		env: defaultsOf3,
	},
];

/** The one that every test runs on unless another is asked for. */
const standard = '2.41.1';

/** How the matrix tells Jest which one it is. */
export const targetVariable = 'EMAIL_MARKETING_N8N';

/** @param {string} name */
export const targetNamed = (name) => targets.find((target) => target.name === name);

/**
 * @returns {Target} the one that the tests of this process run on
 * @throws {Error} when the environment asks for one that does not exist
 */
export function currentTarget() {
	const name = process.env[targetVariable] || standard;
	const target = targetNamed(name);
	if (target) return target;
	const names = targets.map((known) => known.name).join(', ');
	throw new Error(`${targetVariable} is ${name}, and must be one of: ${names}`);
}

/**
 * @param {string[]} args of `npm run test:matrix`: --only NAME, as often as there are names
 * @returns {{ chosen: Target[], unknown: string[] }} all of them unless some are named
 */
export function chooseTargets(args) {
	const names = args.flatMap((arg, index) => (args[index - 1] === '--only' ? arg.split(',') : []));
	if (names.length === 0) return { chosen: targets, unknown: [] };
	return {
		chosen: targets.filter(({ name }) => names.includes(name)),
		unknown: names.filter((name) => !targetNamed(name)),
	};
}

/**
 * @param {Target[]} chosen
 * @returns {CachedInstallation[]} what they need, each once
 */
export const installationsOf = (chosen) => [
	...new Map(
		chosen
			.flatMap((target) => [...(target.node ? [target.node] : []), target.n8n])
			.map((installation) => [installation.name, installation]),
	).values(),
];
