/** The pauses between two tries. They are counted; nobody waits for them. */
export const pauses = {
	taken: [] as number[],
	/** Happens during each pause. */
	meanwhile: async (): Promise<void> => undefined,
	reset(): void {
		this.taken = [];
		this.meanwhile = async () => undefined;
	},
};

/** The node's breaths, such as a turn of the clock, are no pauses. */
const SHORTEST_MS = 100;

/** What stands for n8n-workflow in a test file that calls `jest.mock` with it. */
export function withoutPauses(): object {
	const real = jest.requireActual<{ sleep: (ms: number) => Promise<void> }>('n8n-workflow');
	const sleep = async (ms: number) => {
		if (ms < SHORTEST_MS) return await real.sleep(ms);
		pauses.taken.push(ms);
		await pauses.meanwhile();
		await real.sleep(0);
	};
	return { ...real, sleep };
}
