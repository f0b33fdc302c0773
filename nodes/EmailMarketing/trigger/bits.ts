export interface AssignedBit<T> {
	value: T;
	bit: number;
	/** Not watched before: records that are past it already are noted without an event. */
	isNew: boolean;
}

/**
 * Assigns a bit of a number to each configured value. A value that is no longer configured keeps its bit until another
 * one needs it, so that adding it again neither repeats nor loses events.
 *
 * @param before names of the values by bit
 * @param configured the values by their names, no more than `most`
 */
export function assignBits<T>(
	before: string[],
	configured: ReadonlyMap<string, T>,
	most: number,
): { names: string[]; assigned: Array<AssignedBit<T>> } {
	const names = [...before];
	const assigned: Array<AssignedBit<T>> = [];
	for (const [name, value] of configured) {
		let index = names.indexOf(name);
		const isNew = index === -1;
		if (isNew) {
			index =
				names.length < most ? names.length : names.findIndex((taken) => !configured.has(taken));
			names[index] = name;
		}
		assigned.push({ value, bit: 1 << index, isNew });
	}
	return { names, assigned };
}

/** The bits whose meaning has changed. */
export const newBitsOf = (assigned: Array<AssignedBit<unknown>>): number =>
	assigned.reduce((bits, { bit, isNew }) => (isNew ? bits | bit : bits), 0);
