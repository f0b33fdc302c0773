import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';

const pollMs = 100;
const patienceMs = 120_000;

/**
 * Reads until the value is as wanted.
 *
 * @throws Error with the last value when that takes too long
 */
export async function eventually<T>(
	read: () => Promise<T>,
	isAsWanted: (value: T) => boolean,
	timeoutMs = patienceMs,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const value = await read();
		if (isAsWanted(value)) return value;
		if (Date.now() > deadline) throw new Error(`It stayed at ${JSON.stringify(value)}`);
		await sleep(pollMs);
	}
}

/** Whether it shows within two seconds. */
async function appears(locator: Locator): Promise<boolean> {
	return await locator.waitFor({ timeout: 2_000 }).then(
		() => true,
		() => false,
	);
}

/** Opens the dropdown of a field and waits for an entry. It does not open as long as its choices are being loaded. */
async function openDropdown(field: Locator, opened: Locator, wanted: Locator): Promise<void> {
	await eventually(
		async () => {
			if ((await opened.count()) === 0) await field.click();
			return await appears(wanted);
		},
		(isThere) => isThere,
	);
}

/** Fits what begins with the text, as whole words. */
const startOf = (text: string) =>
	new RegExp(`^\\s*${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`);

/** n8n's editor as a person uses it: fields by their name, choices by what they say. */
export class Editor {
	readonly page: Page;
	private readonly url: string;

	constructor(page: Page, url: string) {
		this.page = page;
		this.url = url;
	}

	/** What is visible under n8n's own name for a part of its page. */
	get(testId: string, hasText?: string | RegExp): Locator {
		return this.page
			.locator(`[data-test-id="${testId}"]`)
			.filter({ visible: true, ...(hasText === undefined ? {} : { hasText }) });
	}

	async open(path: string): Promise<void> {
		await this.page.goto(this.url + path);
	}

	async openWorkflow(id: string): Promise<void> {
		await this.open(`/workflow/${id}`);
		await this.get('canvas-node').first().waitFor();
	}

	/** Opens a workflow from the list on the first page. */
	async openWorkflowNamed(name: string): Promise<void> {
		await this.open('/home/workflows');
		await this.get('workflow-card-name', name).first().click();
		await this.get('canvas-node').first().waitFor();
	}

	canvasNode(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNode(name: string): Promise<void> {
		await this.canvasNode(name).dblclick();
		await this.get('node-parameters').waitFor();
	}

	async closeNode(): Promise<void> {
		await this.get('ndv-close-button').click();
		await this.get('ndv').waitFor({ state: 'hidden' });
	}

	/** Opens the panel that offers nodes, and searches in it. */
	async searchNodes(text: string): Promise<Locator> {
		const button = this.get('canvas-add-button').or(this.get('node-creator-plus-button'));
		if ((await this.get('node-creator').count()) === 0) await button.first().click();
		// n8n searches only when the text changes, also if it had not loaded its nodes before.
		await this.get('node-creator-search-bar').fill('');
		await this.get('node-creator-search-bar').fill(text);
		return this.get('node-creator-item-name');
	}

	/** Adds a node that needs no further choice. Its entry moves while n8n still loads others. */
	async addNode(name: string): Promise<void> {
		const panel = this.get('node-creator');
		const add = async () => {
			const found = await this.searchNodes(name);
			await found.filter({ hasText: name }).first().click({ timeout: 2_000 });
			await panel.waitFor({ state: 'hidden', timeout: 2_000 });
			return true;
		};
		await eventually(
			async () => await add().catch(() => false),
			(isAdded) => isAdded,
		);
	}

	field(name: string): Locator {
		return this.get(`parameter-input-${name}`).locator('input, textarea').first();
	}

	async fill(name: string, value: string): Promise<void> {
		await this.field(name).fill(value);
	}

	/** Chooses what begins with `option` in a dropdown. */
	async choose(name: string, option: string): Promise<void> {
		const offered = this.page.getByRole('option').filter({ visible: true });
		const wanted = this.page
			.getByRole('option', { name: startOf(option) })
			.filter({ visible: true })
			.first();
		const field = this.get(`parameter-input-${name}`);
		await openDropdown(field, offered, wanted);
		await wanted.click();
		// One that takes several choices stays open; Escape elsewhere would close the node.
		if ((await offered.count()) > 0) {
			await this.page.keyboard.press('Escape');
			await offered.first().waitFor({ state: 'hidden' });
		}
	}

	/** Opens a record locator's list, and types a text into the list's search. */
	async searchList(name: string, text = ''): Promise<Locator> {
		const entries = this.get('rlc-item');
		const opened = this.get('rlc-search').or(entries);
		await openDropdown(this.picked(name), opened, entries.first());
		if (text !== '') await this.get('rlc-search').fill(text);
		return entries;
	}

	/** Chooses the first record whose entry begins with the text. */
	async pick(name: string, text: string): Promise<void> {
		const entries = await this.searchList(name, text);
		await entries
			.filter({ hasText: startOf(text) })
			.first()
			.click();
	}

	/** The box of a record locator that shows what is chosen. */
	picked(name: string): Locator {
		return this.get(`resource-locator-${name}`).locator('[data-test-id="rlc-input"]');
	}

	get output(): Locator {
		return this.get('output-panel');
	}

	/** Runs the open node and waits until its output shows the text. */
	async execute(shows: string | RegExp): Promise<Locator> {
		await this.get('node-execute-button').click();
		const output = this.output.filter({ hasText: shows });
		await output.waitFor();
		return output;
	}

	/** Runs the workflow and waits until n8n says that it went well. */
	async executeWorkflow(): Promise<void> {
		await this.get('execute-workflow-button').click();
		await this.page.getByText('Workflow executed successfully').first().waitFor();
	}

	/** The text of a notification, once it shows. */
	async notified(text: string | RegExp): Promise<void> {
		await this.page.getByRole('alert').filter({ hasText: text }).first().waitFor();
	}
}
