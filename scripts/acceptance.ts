// npm run acceptance: learns from an account how the service reads the API reference.
import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { learnProfile } from './lib/acceptance/acceptance.ts';
import { isUserError, UserError } from './lib/user-error.ts';

interface Options {
	baseUrl: string;
	write?: string;
	profile?: string;
}

const options = new Command('npm run acceptance --')
	.description('Learns from an account how the service reads the API reference.')
	.requiredOption('--base-url <url>', 'the address of the API')
	.option('--write <email>', 'also write records of its own; the address is yours, and gets mail')
	.option('--profile <file>', 'write the profile to this file, for npm run sandbox -- --profile')
	.addHelpText('after', '\nKeys: EMAIL_MARKETING_PUBLIC_KEY and EMAIL_MARKETING_SECRET_KEY')
	.parse()
	.opts<Options>();

function key(name: string): string {
	const value = process.env[name] ?? '';
	if (value === '') throw new UserError(`Set the environment variable ${name}.`);
	return value;
}

try {
	const keys = {
		publicKey: key('EMAIL_MARKETING_PUBLIC_KEY'),
		secretKey: key('EMAIL_MARKETING_SECRET_KEY'),
	};
	const profile = await learnProfile(options.baseUrl, keys, options.write);
	const json = `${JSON.stringify(profile, null, '\t')}\n`;
	if (options.profile === undefined) process.stdout.write(json);
	else writeFileSync(options.profile, json);
} catch (error) {
	if (!isUserError(error)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
