import { gzipSync } from 'node:zlib';

import { calls, expectFailure, run } from './calls';
import { head, useRawService, whole } from './rawService';
import { lost, tooLong } from './says';

jest.mock('n8n-workflow', () =>
	jest.requireActual<{ withoutPauses: () => object }>('../faults/pauses').withoutPauses(),
);

const service = useRawService();

/** 1 GB in 1 MB. */
const bomb = Buffer.concat(Array<Buffer>(100).fill(gzipSync(Buffer.alloc(10_000_000, ' '))));

it('a bomb ends a write long before it has been unpacked', async () => {
	service.answer = whole(bomb, 'content-encoding: gzip');
	await expectFailure(service, 'write', tooLong(16));
});

it('a response without end is not received further, and its connection is closed', async () => {
	const closed = new Promise((resolve) => {
		service.answer = (socket) => {
			const part = Buffer.alloc(100_000, ' ');
			const more = () => void socket.write(part, (error) => error || more());
			socket.on('close', resolve).write(head());
			more();
		};
	});
	await expectFailure(service, 'write', tooLong(16));
	await closed;
});

it('a status that says it all needs no body', async () => {
	service.answer = (socket) =>
		void socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 99\r\n\r\n', () =>
			socket.resetAndDestroy(),
		);
	const { error } = await run(service, 'write');
	const message = 'The request is too large for the service (HTTP 413)';
	// Where the reset overtakes the headers, nothing but the reset is known.
	expect([message, lost.message]).toContain(error?.message);
	expect(service.requests).toEqual([calls.write]);
});
