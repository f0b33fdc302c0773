import { Listr, type ListrTask, PRESET_TIMER } from 'listr2';

type Report = (text: string) => void;

const quietMs = 12_000;

/**
 * A step of a listr2 list, never silent for more than twelve seconds.
 *
 * @param work gets a function that shows what it is doing; what it returns is shown behind the title
 */
export function step(title: string, work: (report: Report) => Promise<string | void>): ListrTask {
	return {
		title,
		task: async (_context, task) => {
			const started = Date.now();
			let doing = title;
			const show = (text: string) => {
				task.output = text;
				ticker.refresh();
			};
			const ticker = setInterval(() => {
				show(`${doing} (${Math.round((Date.now() - started) / 1000)} s)`);
			}, quietMs);
			try {
				const result = await work((text) => {
					doing = text;
					show(text);
				});
				if (result) task.title = `${title}: ${result}`;
			} finally {
				clearInterval(ticker);
			}
		},
	};
}

/** Steps as a list that shows itself: live in a terminal, line by line elsewhere. */
export function steps(
	tasks: ListrTask[],
	options: { concurrent?: boolean; exitOnError?: boolean } = {},
): Listr {
	return new Listr(tasks, {
		...options,
		rendererOptions: { timer: PRESET_TIMER, collapseErrors: false, collapseSubtasks: false },
		fallbackRendererOptions: { timer: PRESET_TIMER },
	});
}

/**
 * Runs one step by itself.
 *
 * @returns what `work` returns
 * @throws what `work` throws; the list shows only that the step failed
 */
export async function runStep<T>(title: string, work: (report: Report) => Promise<T>): Promise<T> {
	const results: Array<{ value: T } | { error: unknown }> = [];
	const listed = step(title, async (report) => {
		try {
			results.push({ value: await work(report) });
		} catch (error) {
			results.push({ error });
			throw new Error('failed');
		}
	});
	await steps([listed], { exitOnError: false }).run();
	const [result] = results;
	if (result && 'value' in result) return result.value;
	throw result?.error;
}
