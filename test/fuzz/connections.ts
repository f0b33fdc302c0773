import { Agent } from 'node:http';

/** What each agent of Node has, and its types do not show. */
interface Requests {
	keepAlive: boolean;
	addRequest(this: unknown, request: unknown, options: object): void;
}

/**
 * n8n has an agent for each request, and so a connection for each. From now on, the agents of this process keep their
 * connections open and share them.
 *
 * @returns what ends that
 */
export function shareConnections(): () => void {
	const shared = new Agent({ keepAlive: true });
	const agents = Agent.prototype as unknown as Partial<Requests>;
	const { addRequest } = Agent.prototype as unknown as Requests;
	const keepAlive = { get: () => true, set: () => undefined, configurable: true };
	Object.defineProperty(agents, 'keepAlive', keepAlive);
	agents.addRequest = (request, options) => addRequest.call(shared, request, options);
	return () => {
		delete agents.keepAlive;
		agents.addRequest = addRequest;
		shared.destroy();
	};
}
