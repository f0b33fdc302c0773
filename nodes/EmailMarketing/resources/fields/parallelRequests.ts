import type { INodePropertyOptions } from 'n8n-workflow';

/** Choices of "Parallel Requests"; an expression may give any whole number. */
export const parallelRequests: INodePropertyOptions[] = [
	{
		name: 'Automatic',
		value: 'automatic',
		description:
			'Start with 16, go up to 256 while the service responds quickly, and slow down when it becomes slower or refuses requests',
	},
	...[1, 2, 5, 10, 20, 32, 64].map((value) => ({ name: String(value), value })),
];
