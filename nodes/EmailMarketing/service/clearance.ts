import type { Endpoint, GateName } from './endpoints';

/** Shows that a request has passed its gate. Only the gates and `run/plan.ts` make one; a test enforces that. */
export class Clearance<Name extends GateName = GateName> {
	readonly gate: Name;

	constructor(gate: Name) {
		this.gate = gate;
	}
}

/** A mistake in this package: a request without the clearance of its gate. */
export class NotCleared extends Error {
	constructor(gate: GateName | undefined) {
		super(`no ${gate ?? ''} clearance`);
		this.name = 'NotCleared';
	}
}

/** The clearance that a request to an endpoint needs; none if the endpoint has no gate. */
export type ClearanceFor<E extends Endpoint> = E extends { gate: infer Name extends GateName }
	? { clearance: Clearance<Name> }
	: { clearance?: Clearance };
