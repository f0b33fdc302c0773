import type { Figures, Stage } from './stage.ts';

/** What the figures of a work must come to. */
export interface Target<Name extends string = string> {
	/** The quotient or quantity in words. */
	what: string;
	most: number;
	unit?: string;
	of(figures: Record<Name, Figures>): number;
}

/** Something that contestants do, in turns. */
export interface Work<Name extends string = string> {
	/** What it is called on the command line. */
	name: string;
	title: string;
	/** What the contestants are called, in the order of their turns. */
	contestants: Record<Name, string>;
	targets: Array<Target<Name>>;
	/** How many turns each gets; five unless given. */
	rounds?: number;
	/** Sets everything up, and gives for each contestant what one turn is. */
	prepare(stage: Stage): Promise<Record<Name, (round: number) => Promise<Figures>>>;
}

/** Lets the names of the contestants be checked. */
export const work = <Name extends string>(one: Work<Name>): Work => one as unknown as Work;
