import type { BackgroundProcess } from '../../../scripts/lib/background-process.ts';

declare global {
	var emailMarketingTestProcesses: BackgroundProcess[] | undefined;
}

/** What the global setup has started. Setup and teardown do not share modules, but they share globals. */
export const running: BackgroundProcess[] = (globalThis.emailMarketingTestProcesses ??= []);
