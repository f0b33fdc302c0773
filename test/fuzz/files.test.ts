import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import './operations';
import { text, value } from './arbitraries';
import { expectEqual } from './equal';
import { fuzz } from './fuzz';
import { useService, type Golden } from './service';
import { expectNoKeys, expectNodeError } from './words';

const service = useService();

interface Case {
	fileName: unknown;
	content: string;
	property: unknown;
}

const cases: fc.Arbitrary<Case> = fc.record({
	fileName: fc.oneof(
		{
			arbitrary: fc
				.tuple(text, fc.constantFrom('.csv', '.CSV', '.csv"', '.csv\r\n', '/x.csv', '\\.csv'))
				.map((pair) => pair.join('')),
			weight: 3,
		},
		value,
	),
	content: text,
	property: fc.oneof(
		{ arbitrary: fc.constant<unknown>('data'), weight: 5 },
		{ arbitrary: value, weight: 1 },
	),
});

/** The name that a file is sent with: without folders, and without what would end its header. */
function nameOf(given: unknown): string | undefined {
	const last = typeof given === 'string' ? given.replace(/^.*[\\/]/s, '') : '';
	const name = Buffer.from(last.replace(/["\r\n\0]/g, '_')).toString();
	return /.\.csv$/is.test(name) ? name : undefined;
}

const uploadsOf = (sent: Golden['sent']) => sent.filter(({ method }) => method === 'POST');

async function check({ fileName, content, property }: Case): Promise<void> {
	const golden = service.golden.find(({ name }) => name === 'contact importCsv') as Golden;
	service.answerAs(golden);
	const data = Buffer.from(content);
	const file = { fileName, data: data.toString('base64'), mimeType: 'text/csv' };
	const json = property === undefined ? {} : { v: property as IDataObject };
	const item = { json, binary: { data: file } } as INodeExecutionData;
	const options = { globalUnsubscribes: false };
	const parameters = { ...golden.parameters, binaryPropertyName: '={{ $json.v }}', options };

	const outcome = await service.run(parameters, [item]);

	const sent = service.recorder.take();
	expectNoKeys(outcome);
	const name = nameOf(fileName);
	const isFound = typeof property === 'string' && property.trim() === 'data';
	if (outcome.error !== undefined) {
		expectNodeError(outcome.error, 1);
		expectEqual([sent, isFound && name !== undefined], [[], false]);
		return;
	}
	const wanted = [
		true,
		uploadsOf(golden.sent).map((usual) => ({
			...usual,
			body: usual.body.map((part) =>
				part.fileName === undefined ? part : { ...part, fileName: name, value: data.toString() },
			),
		})),
	];
	expectEqual([isFound, sent], wanted);
}

fuzz('files', cases, check);
