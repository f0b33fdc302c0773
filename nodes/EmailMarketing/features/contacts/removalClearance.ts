import { Clearance, NotCleared } from '../../service/clearance';

/** Permits the removal of these contacts only. */
export class RemovalClearance extends Clearance<'removal'> {
	private readonly contactIds: ReadonlySet<number>;

	constructor(contactIds: Iterable<number>) {
		super('removal');
		this.contactIds = new Set(contactIds);
	}

	/** @throws NotCleared for a contact that has not passed the gate */
	require(contactIds: readonly number[]): this {
		if (contactIds.some((id) => !this.contactIds.has(id))) throw new NotCleared(this.gate);
		return this;
	}
}
