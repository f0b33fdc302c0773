import type { Change } from './interface';

/**
 * What has changed of what workflows depend on, since the first release: the lines as the test prints them. Lines that
 * are removed need a new version of the node, see "Versions" in docs/dev/maintaining.md.
 */
export const changes: Change[] = [];
