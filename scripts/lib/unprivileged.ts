import { execFileSync } from 'node:child_process';
import { chown } from 'node:fs/promises';

interface User {
	uid: number;
	gid: number;
}

function findUser(name: string): User | undefined {
	try {
		const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }));
		return { uid: id('-u'), gid: id('-g') };
	} catch {
		return undefined;
	}
}

export const isRoot = () => process.getuid?.() === 0;

/** Whom servers run as that refuse to run as root; nothing where this is not root. */
function substitute(): User | undefined {
	if (!isRoot()) return undefined;
	const user = ['postgres', 'nobody'].map(findUser).find((found) => found !== undefined);
	if (user === undefined) throw new Error('This system has no user "nobody".');
	return user;
}

/** The command as a user who is not root. */
export function unprivileged(command: string, args: string[]): [string, string[]] {
	const user = substitute();
	if (user === undefined) return [command, args];
	const drop = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
	return ['setpriv', [...drop, command, ...args]];
}

/** Gives a folder to that user. */
export async function giveToUnprivileged(folder: string): Promise<void> {
	const user = substitute();
	if (user !== undefined) await chown(folder, user.uid, user.gid);
}
