import http, { type ClientRequest } from 'node:http';

import type { Faults } from '../../../sandbox/faults.ts';

/**
 * Tells the HTTP client that its time is over as soon as a request has met silence. What follows is what happens when
 * it is over indeed, but nobody has to wait for it, and a busy machine does not run into it elsewhere.
 *
 * @returns ends this
 */
export function hurry(faults: Faults): () => void {
	const open = new Set<ClientRequest>();
	const send = http.request.bind(http) as (...args: unknown[]) => ClientRequest;
	const sending = jest.spyOn(http, 'request').mockImplementation((...args: unknown[]) => {
		const request = send(...args);
		open.add(request);
		return request.once('close', () => open.delete(request));
	});
	const meet = faults.take.bind(faults);
	const taking = jest.spyOn(faults, 'take').mockImplementation((method, path) => {
		const fault = meet(method, path);
		if (fault?.kind.startsWith('timeout')) {
			// By then the request has been carried out.
			setImmediate(() => [...open].find((request) => request.path.includes(path))?.emit('timeout'));
		}
		return fault;
	});
	return () => {
		sending.mockRestore();
		taking.mockRestore();
	};
}
