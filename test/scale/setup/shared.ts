import type { Cluster } from '../cluster.ts';

declare global {
	var emailMarketingCluster: Cluster | undefined;
}

export function share(cluster: Cluster): void {
	globalThis.emailMarketingCluster = cluster;
}

/**
 * The cluster that the global setup has started. Test files run in its process and with its globals.
 *
 * @throws Error outside of the jest project "scale"
 */
export function sharedCluster(): Cluster {
	const { emailMarketingCluster: cluster } = globalThis;
	if (cluster === undefined) throw new Error('Run this with: npm run test:scale');
	return cluster;
}
