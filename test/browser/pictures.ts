import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

const projectRoot = join(__dirname, '..', '..');

/** `npm run screenshots` puts the pictures where the documentation shows them. */
const folder =
	process.env.EMAIL_MARKETING_PICTURES === 'keep'
		? join(projectRoot, 'docs', 'images')
		: join(projectRoot, '.work', 'reports', 'images');

/** Notifications and tooltips come and go, credentials of other services are missing, and buttons lie over what was done. */
const hidden = [
	'[data-test-id="node-issues"]',
	'[data-test-id="canvas-handle-plus-wrapper"]',
	'[class*="nodeButtonsWrapper"]',
	...['.el-notification', '.el-popper', '[role="tooltip"]', '[data-reka-popper-content-wrapper]'],
];
const style = `${hidden.join(', ')} { display: none !important }`;

/** Turns a PNG into a WebP of half its size: Chromium has the encoder. */
async function toWebP(page: Page, png: Buffer): Promise<Buffer> {
	const blank = await page.context().newPage();
	const encoded = await blank.evaluate(async (base64) => {
		const image = await createImageBitmap(
			await (await fetch(`data:image/png;base64,${base64}`)).blob(),
		);
		const canvas = document.createElement('canvas');
		canvas.width = image.width;
		canvas.height = image.height;
		canvas.getContext('2d')?.drawImage(image, 0, 0);
		return canvas.toDataURL('image/webp', 0.8).split(',')[1] ?? '';
	}, png.toString('base64'));
	await blank.close();
	return Buffer.from(encoded, 'base64');
}

type Area = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;

/** Takes a picture of the page, or of a part of it, for the documentation. */
export async function takePicture(page: Page, name: string, part?: Locator | Area): Promise<void> {
	await page.mouse.move(0, 0);
	// A button has no text as long as what it started runs.
	await page.locator('button[aria-busy="true"]').first().waitFor({ state: 'detached' });
	const how = { style, animations: 'disabled', caret: 'hide' } as const;
	const png =
		part !== undefined && 'x' in part
			? await page.screenshot({ ...how, clip: part })
			: await (part ?? page).screenshot(how);
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, `${name}.webp`), await toWebP(page, png));
}
