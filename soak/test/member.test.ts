import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { N8nProcess } from '../../scripts/lib/n8n-process.ts';
import { Member } from '../member.ts';

let folder = '';
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'soak-member-'));
});
afterEach(async () => await rm(folder, { recursive: true }));

/** A process for each of the logs, in turn; one that fails says why. */
function startsWith(...logs: Array<string | Error>) {
	const ends: Array<() => void> = [];
	const start = async (userFolder: string): Promise<N8nProcess> => {
		const log = logs.shift() ?? '';
		if (log instanceof Error) throw log;
		await writeFile(join(userFolder, 'n8n.log'), log);
		const { promise: exited, resolve } = Promise.withResolvers<void>();
		ends.push(resolve);
		const end = async () => resolve();
		return { exited, stop: end, kill: end, url: 'http://n8n', logFile: '' };
	};
	return { start, ends };
}

test('the logs of all starts say what a worker began in which of them', async () => {
	const { start } = startsWith(
		'Worker started execution 1 (job 1)\nWorker started execution 12 (job 2)\n',
		new Error('Not up'),
		'Worker started execution 3 (job 3)\n',
	);
	const member = new Member('worker 1', folder, start);
	await member.start();
	await member.kill();
	expect(member.isUp).toBe(false);
	expect(() => member.url).toThrow('worker 1 is down');
	await member.start();
	expect(member.url).toBe('http://n8n');
	expect(member.failedStarts).toEqual(['Error: Not up']);
	expect(await member.begun()).toEqual(
		new Map([
			[1, 1],
			[12, 1],
			[3, 2],
		]),
	);
	expect(member.kills).toHaveLength(1);
	expect(member.endedBySelf).toEqual([]);
});

test('a process that ends without being killed is noted', async () => {
	const { start, ends } = startsWith('first', 'second');
	const member = new Member('worker 1', folder, start);
	await member.start();
	ends[0]?.();
	while (member.kills.length === 0) await new Promise(setImmediate);
	expect(member.endedBySelf).toEqual([1]);
	await member.start();
	await member.stop();
	expect(member.endedBySelf).toEqual([1]);
});

test('what never comes up is not tried forever', async () => {
	const failures = Array.from({ length: 4 }, () => new Error('Not up'));
	const member = new Member('main', folder, startsWith(...failures).start);
	await expect(member.start()).rejects.toThrow('Not up');
	expect(member.failedStarts).toHaveLength(3);
});
