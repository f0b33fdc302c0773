import { demoAudience } from './demo/audience.ts';
import { demoCampaigns } from './demo/campaigns.ts';
import { demoContent } from './demo/content.ts';
import type { Tables } from './store.ts';

export const SEED_NAMES = ['demo', 'empty'] as const;
export type SeedName = (typeof SEED_NAMES)[number];

export const seeds: Record<SeedName, (tables: Tables, now: number) => void> = {
	/** What every account has: reserved fields and the blank template. */
	empty: (tables, now) => demoContent(tables, now, false),
	/** A small coffee roaster's account. */
	demo: (tables, now) => {
		demoContent(tables, now, true);
		demoAudience(tables, now);
		demoCampaigns(tables, now);
	},
};
