import { creating } from './create.ts';
import { deleting } from './delete.ts';
import { distances, workerCounts } from './distance.ts';
import { getting } from './get.ts';
import { guarding } from './guard.ts';
import { loading } from './load.ts';
import { polling } from './poll.ts';
import { limiting } from './rateLimit.ts';
import { halfMillion, scaling, syncCreating, syncing } from './sync.ts';
import type { Work } from './work.ts';

/** n8n gives little memory back, so those whose memory counts come first. */
export const works: Work[] = [
	scaling,
	getting,
	syncing,
	syncCreating,
	deleting,
	creating,
	...distances,
	...workerCounts,
	limiting,
	guarding,
	polling,
	loading,
	halfMillion,
];
