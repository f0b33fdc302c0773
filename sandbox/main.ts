import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import { SEED_NAMES, type SeedName } from './seed.ts';
import { DEFAULTS, startSandbox } from './server.ts';
import { defaultSettings, type Settings } from './settings.ts';

interface Flags {
	port: number;
	host: string;
	anyHost?: boolean;
	basePath: string;
	data?: string;
	seed: SeedName;
	profile?: string;
	failureStatus: '200' | '422';
	tick: number;
	publicKey: string;
	secretKey: string;
}

function wholeNumber(text: string): number {
	if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
	return Number(text);
}

const program = new Command('sandbox')
	.description('A strict mock of the email-marketing service, on this computer only.')
	.option('--port <number>', 'port to listen on; 0 takes a free one', wholeNumber, 4010)
	.option('--host <address>', 'loopback address to listen on', '127.0.0.1')
	.option('--any-host', 'let --host be any address; for a container only')
	.option('--base-path <path>', 'where the API is mounted', DEFAULTS.basePath)
	.option('--data <file>', 'keep the records in this SQLite file')
	.addOption(
		new Option('--seed <name>', 'records to begin with').choices(SEED_NAMES).default('demo'),
	)
	.option('--profile <file>', 'answer as the service that npm run acceptance has learnt about')
	.addOption(
		new Option('--failure-status <status>', 'HTTP status of failures')
			.choices(['200', '422'])
			.default('200'),
	)
	.option(
		'--tick <ms>',
		'milliseconds per step of the single sends; 0 stops them',
		wholeNumber,
		5000,
	)
	.option('--public-key <key>', 'the PublicKey to accept', DEFAULTS.publicKey)
	.option('--secret-key <key>', 'the SecretKey to accept', DEFAULTS.secretKey)
	.parse();
const flags = program.opts<Flags>();

/** The settings of a profile. */
function profileIn(file: string): Partial<Settings> {
	const { settings } = JSON.parse(readFileSync(file, 'utf8')) as { settings?: Partial<Settings> };
	const unknown = Object.keys(settings ?? {}).filter((name) => !(name in defaultSettings));
	if (settings === undefined || unknown.length > 0) {
		throw new Error(
			`${file} is no profile${unknown.length > 0 ? `: it has ${unknown.join(', ')}` : ''}`,
		);
	}
	return settings;
}

function explain(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	if (code === 'EADDRINUSE') {
		return `Port ${flags.port} is taken: stop what listens there, or choose another with --port.`;
	}
	if (code === 'EACCES') return `Port ${flags.port} may not be used: choose one above 1023.`;
	if (code?.startsWith('ERR_SQLITE')) {
		return `The data file ${flags.data} cannot be opened: ${message}.`;
	}
	return message;
}

try {
	const sandbox = await startSandbox({
		...flags,
		settings: {
			failureStatus: flags.failureStatus === '422' ? 422 : 200,
			tickMs: flags.tick,
			...(flags.profile !== undefined && profileIn(flags.profile)),
		},
		page: readFileSync(new URL('page.html', import.meta.url), 'utf8'),
	});
	console.log(
		`Sandbox listening on ${sandbox.url} (API: ${sandbox.baseUrl}, page: ${sandbox.url}/, ` +
			`controls: ${sandbox.url}/__sandbox/…; Ctrl+C stops it)`,
	);
	const stop = () => void sandbox.close().then(() => process.exit(0));
	process.once('SIGINT', stop);
	process.once('SIGTERM', stop);
} catch (error) {
	console.error(explain(error));
	process.exitCode = 1;
}
