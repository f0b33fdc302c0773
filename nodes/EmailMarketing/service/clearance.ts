import type { Endpoint, GateName } from './endpoints';

/** Shows that a request has passed its gate. Only the gates issue one; a test holds the code to that. */
export class Clearance<Name extends GateName = GateName> {
	readonly gate: Name;

	constructor(gate: Name) {
		this.gate = gate;
	}
}

/** A mistake in this package: a request that no gate has let pass. */
export class NotCleared extends Error {
	constructor(gate: GateName | undefined) {
		super(`no ${gate ?? ''} clearance`);
		this.name = 'NotCleared';
	}
}

/** What a request to an endpoint must carry; nothing where the endpoint has no gate. */
export type ClearanceFor<E extends Endpoint> = E extends { gate: infer Name extends GateName }
	? { clearance: Clearance<Name> }
	: { clearance?: Clearance };
