import fc from 'fast-check';

import { byEmail, isBulkDelete } from './operations';
import { spoilt, spoiltReply, type Spoilt } from './answers';
import { expectNone } from './equal';
import { fuzz } from './fuzz';
import { useService, type Golden } from './service';
import { expectError, expectFailedItem, expectNoKeys, expectNodeError, expectWords } from './words';

const service = useService();

interface Case {
	/** Which run, and which of the answers in it. */
	at: number;
	which: number;
	answer: Spoilt;
	items: number;
	goesOn: boolean;
}

const cases: fc.Arbitrary<Case> = fc.record({
	at: fc.nat(1_000_000),
	which: fc.nat(10),
	answer: spoilt,
	items: fc.integer({ min: 1, max: 2 }),
	goesOn: fc.boolean(),
});

function runOf({ at, which }: Case): { golden: Golden; call: string } {
	const golden = service.golden[at % service.golden.length] as Golden;
	const calls = [...golden.answers.keys()];
	return { golden, call: calls[which % calls.length] ?? '' };
}

async function check(one: Case): Promise<void> {
	const { golden, call } = runOf(one);
	service.answerAs(golden, (asked, reply) =>
		asked === call ? spoiltReply(reply.body.toString(), one.answer) : reply,
	);
	const items = Array.from({ length: one.items }, () => golden.item);
	const node = one.goesOn ? { onError: 'continueErrorOutput' as const } : {};

	const outcome = await service.run(golden.parameters, items, node);

	const sent = service.recorder.take({ keepsAnything: true });
	expectNoKeys(outcome);
	const { error, failed, items: given } = outcome;
	if (error !== undefined) {
		if (one.goesOn) throw new Error(`It stopped: ${error.message}`);
		if (golden.row?.endpoint === undefined) expectError(error);
		else expectNodeError(error, items.length);
	}
	for (const item of failed) expectFailedItem(item);
	for (const { json } of given) {
		if (json.reason) expectWords(json.reason, 1_000);
		// A response may have a member of its own with this name.
		const isPolluted = 'polluted' in json && !Object.hasOwn(json, 'polluted');
		if (isPolluted) throw new Error('It was polluted');
	}
	const endpoint = golden.row?.endpoint;
	const own = sent.filter(
		({ method, path }) => method === endpoint?.method && path === endpoint.path,
	);
	// A bulk delete for several items that was refused is tried once more, item by item.
	const trials = !isBulkDelete(golden.row) || items.length === 1 ? 0 : 1;
	if (own.length > items.length + trials) throw new Error(`It was sent ${own.length} times`);
	if (golden.name.endsWith(byEmail)) {
		const ids = own.flatMap(({ query, body }) => [...query, ...body]).map(({ value }) => value);
		expectNone(ids.filter((id) => !/^[1-9]\d*$/.test(id)));
	}
	if (endpoint === undefined) {
		expectNone(sent.filter(({ path }) => path.includes('delete')));
	} else {
		const others = sent.filter((request) => !own.includes(request));
		expectNone(others.filter(({ method }) => method !== 'GET'));
	}
}

fuzz('answers', cases, check, (one) => {
	const { golden, call } = runOf(one);
	return `${golden.name}, ${call}`;
});
