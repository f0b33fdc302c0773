/** Whose records are: an ID that the service lists with two addresses identifies nobody, since a request with it may reach either. */
export class Owners {
	private readonly addresses = new Map<string, string>();
	private readonly shared = new Set<string>();

	/** @param address see `addressKey` */
	note(id: string, address: string): void {
		const known = this.addresses.get(id);
		if (known === undefined) this.addresses.set(id, address);
		else if (known !== address) this.shared.add(id);
	}

	isShared(id: string): boolean {
		return this.shared.has(id);
	}
}
