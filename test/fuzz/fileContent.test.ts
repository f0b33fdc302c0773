import fc from 'fast-check';

import './operations';
import { text } from './arbitraries';
import { expectEqual, expectNone } from './equal';
import { fuzz } from './fuzz';
import { useService, type Golden } from './service';
import { expectNoKeys, expectNodeError } from './words';

const service = useService();

const lines = fc
	.array(fc.oneof(text, fc.constantFrom(',', ';', '"', '\n', '\r', 'email', 'a@example.com')))
	.map((parts) => parts.join(''));

/** A file that is checked for people who unsubscribed is refused, or sent as it is if nobody in it has. */
async function check(content: string): Promise<void> {
	const golden = service.golden.find(({ name }) => name === 'contact importCsv') as Golden;
	service.answerAs(golden);
	const data = Buffer.from(content);
	const file = { fileName: 'a.csv', data: data.toString('base64'), mimeType: 'text/csv' };

	const outcome = await service.run(golden.parameters, [{ json: {}, binary: { data: file } }]);

	const sent = service.recorder.take().filter(({ method }) => method === 'POST');
	expectNoKeys(outcome);
	if (outcome.error !== undefined) {
		expectNodeError(outcome.error, 1);
		expectNone(sent);
		return;
	}
	const files = sent.flatMap(({ body }) => body.filter((part) => part.fileName !== undefined));
	expectEqual(
		files.map((part) => part.value),
		[data.toString()],
	);
}

fuzz('fileContent', lines, check);
