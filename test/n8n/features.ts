import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { needsNote } from '../../scripts/lib/compatibility.ts';
import { readContext } from './setup/context.ts';

interface FeatureOfN8n {
	/** In the words of the table of versions: a version has no … */
	what: string;
	/** A file of n8n's packages with this text wherever n8n has the feature. */
	file: string;
	text: RegExp;
}

/** What tests need and not every n8n of the matrix has. */
const features = {
	checkOfChoices: {
		what: 'check of required choices when a workflow is published',
		// n8n 1 has it, and 2.0 does not.
		file: 'n8n/package.json',
		text: /"version": "(?!2\.0\.)/,
	},
	checkOfEveryNode: {
		what: 'check of every node when a workflow is published',
		// n8n 1 checks the triggers.
		file: 'n8n/package.json',
		text: /"version": "2\.(?!0\.)/,
	},
	durableCursors: {
		what: 'durable cursors',
		file: '@n8n/config/dist/configs/scheduler.config.js',
		text: /N8N_POLLER_DURABLE_CURSORS_ENABLED/,
	},
	stateBeforeExecution: {
		what: 'order of saving in which a trigger keeps what it has seen first',
		file: 'n8n/package.json',
		text: /"version": "2\.(?!0\.)/,
	},
	tablesMadeByNodes: {
		what: 'data tables that a node can create',
		file: 'n8n-nodes-base/dist/nodes/DataTable/actions/table/Table.resource.js',
		text: /create/,
	},
	publishedErrorWorkflows: {
		what: 'publishing of a workflow that only an error starts',
		// n8n 1 starts it unpublished.
		file: 'n8n/package.json',
		text: /"version": "2\./,
	},
	reportAbout3: {
		what: 'report on what n8n 3 changes',
		file: 'n8n/dist/modules/breaking-changes/rules/v3/removed-nodes.rule.js',
		text: /v3/,
	},
	ssrfProtection: {
		what: 'SSRF protection',
		file: '@n8n/config/dist/configs/ssrf-protection.config.js',
		text: /N8N_SSRF_ALLOWED_IP_RANGES/,
	},
} satisfies Record<string, FeatureOfN8n>;

export type Feature = keyof typeof features;

const modules = join(readContext().installation, 'node_modules');

/** Whether the n8n of this run has a feature. */
export function has(feature: Feature): boolean {
	const { file, text } = features[feature];
	const path = join(modules, file);
	return existsSync(path) && text.test(readFileSync(path, 'utf8'));
}

/** A test that runs where n8n has a feature; elsewhere the table of versions says why it does not. */
export function itNeeds(feature: Feature, name: string, run: () => Promise<void>): void {
	if (has(feature)) test(name, run);
	else test.skip(name + needsNote(features[feature].what), run);
}

/** Says of a part of another test that it is left out where n8n lacks a feature. */
export function partNeeds(feature: Feature, name: string): void {
	if (!has(feature)) test.skip(name + needsNote(features[feature].what), () => undefined);
}
