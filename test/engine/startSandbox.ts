import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import type { Settings } from '../../sandbox/settings.ts';
import { settings as ofReading } from './readings/underReading';

/**
 * An account in which nothing moves by itself, under the reading that EMAIL_MARKETING_READING names.
 *
 * @param settings what a test relies on under any reading
 */
export const startEmptySandbox = async (settings: Partial<Settings> = {}): Promise<Sandbox> =>
	await startSandbox({ seed: 'empty', settings: { tickMs: 0, ...ofReading, ...settings } });
