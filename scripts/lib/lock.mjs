// @ts-check
// Locks between processes. Plain JavaScript without packages: they guard the install of packages.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rm, rmdir, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

const refreshMs = 2_000;
const staleMs = 15_000;
/** What a killed owner had started ends when it notices, and should not meet the next owner. */
const settleMs = 1_000;
const noteFile = 'note';

/**
 * @typedef {object} Lock held by this process
 * @property {(text: string) => Promise<void>} note leaves a text for those who find the lock taken
 * @property {() => Promise<void>} release
 */

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {string} code */
const unless = (code) => (/** @type {NodeJS.ErrnoException} */ error) => {
	if (error.code !== code) throw error;
};

/** @param {number} pid */
function isAlive(pid) {
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
	}
}

const ownName = () => `owner-${process.pid}-${randomBytes(4).toString('hex')}@${hostname()}`;

/** @param {string} name @returns {boolean} whether the owner that this names is known to be dead */
function isDead(name) {
	const [, pid, host] = /^owner-(\d+)-[\da-f]+@(.*)$/.exec(name) ?? [];
	return host === hostname() && !isAlive(Number(pid));
}

/**
 * Frees a lock whose owner is dead or has not been heard of for 15 seconds.
 *
 * @param {string} folder
 * @returns {Promise<boolean>} whether it did
 */
async function freeAbandoned(folder) {
	const entries = await readdir(folder).catch(() => []);
	const owner = entries.find((name) => name.startsWith('owner-'));
	const touched = await stat(folder).then(
		({ mtimeMs }) => mtimeMs,
		() => Date.now(),
	);
	const stale = Date.now() - touched > staleMs;
	if (!stale && !(owner && isDead(owner))) return false;
	try {
		// Of several processes that see this, only one gets past the next line.
		if (owner) await rm(join(folder, owner));
		await rm(join(folder, noteFile), { force: true });
		await rmdir(folder);
		return true;
	} catch {
		return false;
	}
}

/**
 * @param {string} folder the lock itself: a folder that exists while the lock is held
 * @returns {Promise<Lock | undefined>} nothing when another process holds it
 */
export async function tryLock(folder) {
	await mkdir(dirname(folder), { recursive: true });
	if (await freeAbandoned(folder)) await pause(settleMs);
	const owner = join(folder, ownName());
	try {
		await mkdir(folder);
		await writeFile(owner, '');
	} catch (error) {
		const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
		if (code === 'EEXIST' || code === 'ENOENT') return undefined;
		throw error;
	}
	const refresh = setInterval(() => {
		const now = new Date();
		utimes(folder, now, now).catch(() => undefined);
	}, refreshMs);
	refresh.unref();
	return {
		note: (text) => writeFile(join(folder, noteFile), text),
		release: async () => {
			clearInterval(refresh);
			try {
				await rm(owner);
			} catch (error) {
				// Somebody took it for abandoned, as after a long sleep of the machine.
				return unless('ENOENT')(/** @type {NodeJS.ErrnoException} */ (error));
			}
			await rm(join(folder, noteFile), { force: true });
			await rmdir(folder).catch(unless('ENOENT'));
		},
	};
}

/**
 * @param {string} folder
 * @returns {Promise<string>} what the owner of the lock left there
 */
export const readNote = (folder) => readFile(join(folder, noteFile), 'utf8').catch(() => '');

/**
 * Runs `work` while no other process runs work under the same lock. A lock whose owner was killed
 * is taken over.
 *
 * @template T
 * @param {string} folder
 * @param {(text: string) => void} report
 * @param {() => Promise<T>} work
 * @returns {Promise<T>} what `work` returns
 */
export async function withLock(folder, report, work) {
	let lock = await tryLock(folder);
	if (!lock) report('Waiting for another run that is doing the same');
	while (!lock) {
		await pause(500);
		lock = await tryLock(folder);
	}
	try {
		return await work();
	} finally {
		await lock.release();
	}
}
