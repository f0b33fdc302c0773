import type { INodePropertyOptions } from 'n8n-workflow';

/** Choices of "Parallel Requests"; an expression may give any whole number. */
export const parallelRequests: INodePropertyOptions[] = [
	{
		name: 'Automatic',
		value: 'automatic',
		description:
			'Start with 16, increase to up to 256 while response times stay normal for the service, and slow down when they rise or requests are refused',
	},
	...[1, 2, 5, 10, 20, 32, 64].map((value) => ({ name: String(value), value })),
];
