// Writes the previews of what each operation gives, from the answers of the sandbox.
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const jest = join(import.meta.dirname, '..', 'node_modules', 'jest', 'bin', 'jest.js');
const args = [jest, '--selectProjects', 'engine', '--testPathPatterns', 'engine/schema'];
spawn(process.execPath, args, {
	stdio: 'inherit',
	env: { ...process.env, WRITE_SCHEMAS: '1' },
}).on('exit', (code) => (process.exitCode = code ?? 1));
