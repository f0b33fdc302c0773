import type { Operation, Stage } from './operation';

/** The stages of an operation, in their order. */
interface Stages {
	/** Decide for all items before the first request is sent. */
	ahead: Stage[];
	/** Complete the requests; those that depend on a record come directly before its request. */
	before: Stage[];
	/** Check the complete requests. */
	after: Stage[];
}

export const stagesOf = ({ gate, plan }: Operation): Stages => ({
	ahead: [...(gate?.ahead ?? []), ...(plan?.ahead ?? [])],
	before: [...(gate?.before ?? []), ...(plan?.stages ?? [])],
	after: [...(gate?.after ?? [])],
});

export function allStages(operation: Operation): Stage[] {
	const { ahead, before, after } = stagesOf(operation);
	return [...ahead, ...before, ...after];
}
