import type { Outcome } from '../once.ts';
import type { Kind } from '../kinds.ts';
import { hasProblems, summary, verdict } from '../summary.ts';

const PROMISES = {
	lost: 'No event is lost',
	doubled: 'Nobody is added twice',
	wrong: 'What failed had no effect',
	expected: 'No event is lost',
};
const finding = (kind: Kind) => ({
	...{ promise: PROMISES[kind], what: 'x' },
	...(kind === 'expected' && { expected: 'n8n was killed' }),
});

const outcome = (seed: string, kinds: Kind[], rest: Partial<Outcome> = {}) => ({
	seed,
	halves: [{ cursors: 'durable' as const, kills: 14, events: 1_234, findings: kinds.map(finding) }],
	errors: [],
	kept: kinds.length === 0 ? undefined : '/kept',
	...rest,
});

test.each<[Outcome, boolean, string]>([
	[outcome('1', []), false, 'Seed 1: nothing lost, nothing duplicated'],
	[
		outcome('2', ['expected', 'expected']),
		false,
		'Seed 2: nothing duplicated, and only expected losses: 2. Logs and data: /kept',
	],
	[outcome('3', ['expected', 'lost']), true, 'Seed 3: findings. Logs and data: /kept'],
	[
		outcome('4', [], { halves: [], errors: ['Oh'], kept: '/kept' }),
		true,
		'Seed 4: not completed. Logs and data: /kept',
	],
])('a run has a line of its own: %#', (given, problems, line) => {
	expect(hasProblems(given)).toBe(problems);
	expect(verdict(given)).toBe(line);
});

test('several runs are shown as a table', () => {
	expect(
		summary([
			outcome('7.1', []),
			outcome('7.10', ['lost', 'doubled', 'wrong', 'wrong', 'expected']),
			outcome('7.11', [], { halves: [], errors: ['Oh'] }),
		]).split('\n'),
	).toEqual([
		'Seed  Cursors        Kills  Events  Lost  Duplicates  Wrong  Expected',
		'7.1   durable           14   1,234     0           0      0         0',
		'7.10  durable           14   1,234     1           1      2         1',
		'7.11  not completed',
	]);
});
