import type { INodeExecutionData } from 'n8n-workflow';

import { GROUP, IMPORT_TYPE } from '../world.ts';
import { minute, type Actor, type Surroundings } from './actor.ts';
import { locator, node } from './node.ts';

/** Contact: Import CSV, with people whom nothing else adds to the contact type. */
export function importsActor(retryOnFail: boolean, { world, random }: Surroundings): Actor {
	let count = 0;
	const fileWith = (emails: string[]): INodeExecutionData => {
		const lines = ['email,first_name,country', ...emails.map((email) => `${email},Kim,Germany`)];
		const data = Buffer.from(lines.join('\r\n')).toString('base64');
		const binary = { data: { data, mimeType: 'text/csv', fileName: 'people.csv' } };
		return { json: { key: emails[0], emails }, binary };
	};
	return {
		...{ name: 'imports', everyMs: 11 * minute, retryOnFail, runsOn: false },
		requests: ['POST /contacts/upload-csv'],
		begin: () => {
			const items = Array.from({ length: random.whole(1, 3) }, () => {
				const own = `imported${++count}@example.com`;
				return fileWith([own, ...(random.chance(0.7) ? [random.pick(world.known)] : [])]);
			});
			const parameters = {
				...{ resource: 'contact', operation: 'importCsv', contactTypeId: locator(IMPORT_TYPE) },
				...{ binaryPropertyName: 'data', options: { unsubscribeGroups: [GROUP] } },
			};
			const onError = random.pick(['stopWorkflow', 'continueErrorOutput'] as const);
			return { nodes: [node('Import', parameters, { onError })], items };
		},
	};
}
