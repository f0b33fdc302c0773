import { Clock } from './clock.ts';
import type { Context } from './endpoint.ts';
import { Faults } from './faults.ts';
import { isoMicros } from './format.ts';
import { Journal } from './journal.ts';
import type { Persistence } from './persistence.ts';
import { seeds, type SeedName } from './seed.ts';
import { defaultSettings, type Settings } from './settings.ts';
import { SendRunner } from './singleSendRun.ts';
import { Store, type Tables } from './store.ts';

export interface StateOptions {
	basePath: string;
	seed: SeedName;
	publicKey: string;
	secretKey: string;
	settings: Partial<Settings>;
	journalLimit: number;
}

/** Everything one sandbox knows. */
export class State implements Context {
	readonly basePath: string;
	readonly seed: SeedName;
	readonly keys: { publicKey: string; secretKey: string };
	readonly clock = new Clock();
	readonly settings: Settings;
	readonly faults = new Faults();
	readonly journal: Journal;
	readonly store: Store;
	readonly tables: Tables;
	readonly runner: SendRunner;
	readonly verificationMails = new Map<number, number>();
	imports: Context['imports'] = [];
	private readonly options: StateOptions;
	private readonly persistence: Persistence | null;

	constructor(options: StateOptions, persistence: Persistence | null) {
		this.options = options;
		this.persistence = persistence;
		this.basePath = options.basePath;
		this.seed = options.seed;
		this.keys = { publicKey: options.publicKey, secretKey: options.secretKey };
		this.settings = structuredClone({ ...defaultSettings, ...options.settings });
		this.journal = new Journal(options.journalLimit);
		this.store = new Store(persistence !== null);
		this.tables = this.store.tables;
		for (const table of this.store.list()) {
			table.deletedAt = () =>
				this.settings.deletes === 'kept' ? isoMicros(this.clock.now()) : null;
		}
		const loaded = persistence?.load(this.store, this.clock) ?? false;
		if (!loaded) this.plant(options.seed);
		this.runner = new SendRunner(this.tables, this.clock, this.settings);
	}

	/** Brings the records up to the present of the virtual clock. */
	settle(): void {
		this.runner.settle();
		const due = this.imports.filter((one) => one.due <= this.clock.now());
		this.imports = this.imports.filter((one) => !due.includes(one));
		for (const { finish } of due) finish();
		const { autoVerifyMs } = this.settings;
		if (autoVerifyMs === null) return;
		for (const [id, sentAt] of this.verificationMails) {
			if (sentAt + autoVerifyMs > this.clock.now()) continue;
			this.verificationMails.delete(id);
			const sender = this.tables.senders.get(id);
			if (sender) this.tables.senders.change(sender, { is_verified: 1 });
		}
	}

	save(): void {
		this.persistence?.save(this.store, this.clock);
	}

	/** Back to the beginning: records, clock, settings, faults, journal and violations; `keep` names what stays. */
	reset(seed: SeedName, keep: readonly string[]): void {
		if (!keep.includes('clock')) this.clock.reset();
		if (!keep.includes('settings')) {
			Object.assign(
				this.settings,
				structuredClone({ ...defaultSettings, ...this.options.settings }),
			);
		}
		if (!keep.includes('faults')) this.faults.clear();
		if (!keep.includes('journal')) this.journal.clear();
		if (!keep.includes('violations')) this.journal.violations = [];
		this.verificationMails.clear();
		this.imports = [];
		this.plant(seed);
		this.runner.restart();
	}

	close(): void {
		this.save();
		this.persistence?.close();
	}

	private plant(seed: SeedName): void {
		this.store.clear();
		this.persistence?.clear();
		seeds[seed](this.tables, this.clock.now());
		this.save();
	}
}
