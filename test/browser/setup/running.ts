import { rm } from 'node:fs/promises';
import type { BackgroundProcess } from '../../../scripts/lib/background-process.ts';

declare global {
	var emailMarketingDemo: { process: BackgroundProcess; folder: string } | undefined;
}

/** Setup and teardown do not share modules, but they share globals. */
export function keep(process: BackgroundProcess, folder: string): void {
	globalThis.emailMarketingDemo = { process, folder };
}

export async function end(): Promise<void> {
	const demo = globalThis.emailMarketingDemo;
	if (demo === undefined) return;
	await demo.process.stop();
	await rm(demo.folder, { recursive: true, force: true });
}
