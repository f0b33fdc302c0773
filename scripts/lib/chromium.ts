import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const isExecutable = (path: string) => {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};

/** The path of Chromium or Chrome, where one is installed under its usual name. */
export function findChromium(): string | undefined {
	const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

const commands: Partial<Record<NodeJS.Platform, string>> = {
	linux: 'sudo apt install chromium (Debian), sudo dnf install chromium (Fedora)',
	darwin: 'brew install --cask chromium',
	win32: 'winget install Google.Chrome, with its folder in PATH',
};

/** How to get Chromium on this machine. */
export const chromiumInstructions = `They need Chromium or Chrome in PATH; to install it: ${
	commands[process.platform] ?? commands.linux
}.`;
