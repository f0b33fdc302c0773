import { defaultSettings, type Settings } from '../../../sandbox/settings.ts';
import { UserError } from '../user-error.ts';
import { cleanUp } from './ownRecords.ts';
import { learnByReading } from './reading.ts';
import { failedWrites } from './roundTrip.ts';
import { Service, type Keys } from './service.ts';
import { learnByWriting } from './writing.ts';

export interface Profile {
	/** For the sandbox. */
	settings: Partial<Settings>;
	/** Settings about which this account says nothing. */
	unknownSettings: string[];
	/** Records of ours that are still there. */
	left: string[];
	/** Writes that did not succeed on records of our own; absent if nothing was written. */
	failedWrites?: string[];
}

/** Settings that only something that is sent to people would tell. */
export const toldByHarm: ReadonlyArray<keyof Settings> = ['updatesOfCompleted', 'noAudience'];

/** Settings that are no reading of the reference. */
const beside = new Set<keyof Settings>([
	...(['latencyMs', 'jitterMs', 'rateLimit', 'tickMs', 'autoVerifyMs', 'emailSyntax'] as const),
	...(['emptyOptional', 'locationShape', 'csvColumns', 'csvMaxRows', 'csvDelayMs'] as const),
]);

/**
 * Learns how a service reads the reference.
 *
 * @param email an address of whoever runs this, to write as well
 * @throws UserError if the keys are refused
 */
export async function learnProfile(baseUrl: string, keys: Keys, email?: string): Promise<Profile> {
	const service = new Service(baseUrl, keys);
	const first = await service.send('GET', '/contacts-type');
	if (!first.isSuccess && first.errors !== 'Record Not Found') {
		throw new UserError(`The service did not list the contact types (HTTP ${first.status}).`);
	}
	const read = await learnByReading(service);
	let written: Partial<Settings> = {};
	let left: string[] = [];
	if (email !== undefined) {
		await cleanUp(service);
		try {
			written = await learnByWriting(service, email);
		} finally {
			left = await cleanUp(service);
		}
	}
	const learnt = Object.entries({ ...read, ...written }).filter(([, value]) => value !== undefined);
	const settings = Object.fromEntries(learnt) as Partial<Settings>;
	const unknownSettings = (Object.keys(defaultSettings) as Array<keyof Settings>).filter(
		(name) => settings[name] === undefined && !beside.has(name),
	);
	return {
		...{ settings, unknownSettings, left },
		...(email !== undefined && { failedWrites: failedWrites(service) }),
	};
}
