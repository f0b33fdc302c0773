// @ts-check
// Runs a command for as long as this process's standard input stays open, and ends it with all that
// it started when the input closes. So no process outlives the one that started it, however that
// one ended, and closing the input is the way to kill it at once. To be started in a process group of
// its own, so that it is still there to do so when the group of the other one was killed.
import { spawn } from 'node:child_process';

const [command = '', ...args] = process.argv.slice(2);
const ownGroup = process.platform !== 'win32';
const child = spawn(command, args, {
	stdio: ['ignore', 'inherit', 'inherit'],
	detached: ownGroup,
});

function kill() {
	if (child.pid === undefined) return;
	try {
		process.kill(ownGroup ? -child.pid : child.pid, 'SIGKILL');
	} catch {
		// Already gone.
	}
}

process.stdin.on('end', kill).on('error', kill).resume();
process.on('SIGTERM', () => child.kill('SIGTERM'));
// What Ctrl-C or a closed terminal means is for the parent to decide.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
child.on('error', (error) => {
	console.error(error.message);
	process.exit(127);
});
child.on('exit', (code) => {
	kill();
	process.exit(code ?? 1);
});
