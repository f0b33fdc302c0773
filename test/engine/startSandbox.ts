import { readings } from '../../sandbox/readings.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import type { Settings } from '../../sandbox/settings.ts';

const name = process.env.EMAIL_MARKETING_READING ?? '';
const reading = readings[name];
if (name !== '' && !reading) throw new Error(`There is no reading "${name}"`);

/** An account in which nothing moves by itself, under the reading that EMAIL_MARKETING_READING names. */
export const startEmptySandbox = async (settings: Partial<Settings> = {}): Promise<Sandbox> =>
	await startSandbox({ seed: 'empty', settings: { tickMs: 0, ...settings, ...reading } });
