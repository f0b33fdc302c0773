// Loaded by n8n (EXTERNAL_HOOK_FILES): tells the bench what each execution took, from within n8n's main process.
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector/promises');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

const { BENCH_URL, BENCH_PROFILES } = process.env;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

let memoryBeforeMb;
let cpu;
let profiler;

/** Linux only: makes the peak of the resident memory begin anew. */
function resetPeak() {
	try {
		writeFileSync('/proc/self/clear_refs', '5');
	} catch {
		// The peak then is that of the whole life of the process.
	}
}

function peakMb() {
	try {
		const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
		return Number(kilobytes) / 1024;
	} catch {
		return process.resourceUsage().maxRSS / 1024;
	}
}

async function before() {
	collectGarbage();
	resetPeak();
	memoryBeforeMb = process.memoryUsage.rss() / 2 ** 20;
	cpu = process.cpuUsage();
	if (!BENCH_PROFILES) return;
	profiler = new Session();
	profiler.connect();
	await profiler.post('Profiler.enable');
	await profiler.post('Profiler.start');
}

async function after(run, { name }) {
	const { user, system } = process.cpuUsage(cpu);
	const memoryMb = peakMb();
	const { runData, error } = run.data.resultData;
	const nodes = Object.entries(runData).map(([node, runs]) => [
		node,
		{
			ms: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
			items: runs.flatMap(({ data }) => data?.main?.[0]?.length ?? 0).at(-1),
		},
	]);
	if (profiler) {
		const { profile } = await profiler.post('Profiler.stop');
		profiler.disconnect();
		writeFileSync(`${BENCH_PROFILES}/${name}.cpuprofile`, JSON.stringify(profile));
	}
	await fetch(`${BENCH_URL}/done`, {
		method: 'POST',
		body: JSON.stringify({
			name,
			memoryMb,
			cpuMs: (user + system) / 1000,
			memoryBeforeMb,
			nodes: Object.fromEntries(nodes),
			error: error && `${error.message} ${error.description ?? ''}`,
		}),
	});
}

module.exports = { workflow: { preExecute: [before], postExecute: [after] } };
