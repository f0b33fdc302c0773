import type { INodePropertyOptions } from 'n8n-workflow';

/** Choices of "Parallel Requests"; an expression may give any whole number. */
export const parallelRequests: INodePropertyOptions[] = [
	{
		name: 'Automatic',
		value: 'automatic',
		description:
			'Start with 10, increase to up to 64 while the service responds quickly, and slow down when it refuses requests',
	},
	...[1, 2, 5, 10, 20, 32, 64].map((value) => ({ name: String(value), value })),
];
