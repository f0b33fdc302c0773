import { throttleOf } from '../../../nodes/EmailMarketing/run/runContext';

// n8n says of its own field: "-1 for disabled. 0 will be treated as 1."
test.each([
	['a size and an interval', { batchSize: 5, batchInterval: 150 }, { size: 5, pauseMs: 150 }],
	['a size of 0', { batchSize: 0, batchInterval: 100 }, { size: 1, pauseMs: 100 }],
	['part of an item', { batchSize: 2.5, batchInterval: 100 }, { size: 2, pauseMs: 100 }],
	['no size', { batchInterval: 100 }, { size: 50, pauseMs: 100 }],
	['no interval', { batchSize: 5 }, { size: 5, pauseMs: 1000 }],
	['texts from expressions', { batchSize: '5', batchInterval: '100' }, { size: 5, pauseMs: 100 }],
	['a size of -1', { batchSize: -1, batchInterval: 100 }, undefined],
	['an interval of 0', { batchSize: 5, batchInterval: 0 }, undefined],
	['nonsense', { batchSize: 'x', batchInterval: {} }, undefined],
	['no batching', {}, undefined],
	['nothing', null, undefined],
])('batching with %s', (_name, batch, throttle) => {
	expect(throttleOf(batch)).toEqual(throttle);
});
