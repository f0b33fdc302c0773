import { isoMicros } from '../format.ts';
import type { Tables } from '../store.ts';

export const DAY = 24 * 60 * 60 * 1000;

const RESERVED_FIELDS = [
	'first_name',
	'last_name',
	'email',
	'alt_email',
	'country',
	'state',
	'city',
	'address_line1',
	'address_line2',
	'state_province_region',
	'postal_code',
	'full_name',
	'created_at',
	'updated_at',
];

const CUSTOM_FIELDS = [
	['company_name', 'text'],
	['cups_per_week', 'number'],
	['birth_date', 'datetime-local'],
	['newsletter_consent', 'text'],
] as const;

const TEMPLATES = [
	['Monthly newsletter', 'newsletter.png', 'News from the roastery'],
	['Welcome', 'welcome.png', 'Welcome, ((first_name))!'],
	['Special offer', 'offer.png', 'Two bags for the price of one'],
	['Event invitation', 'event.png', 'You are invited, ((full_name))'],
] as const;

const block = (heading: string) =>
	JSON.stringify({ body: { rows: [{ type: 'heading', text: heading }] } });
const html = (heading: string) =>
	`<html><body><h1>${heading}</h1><p>((unsubscribe_preferences))</p></body></html>`;

/** Fields and templates. Without the demo only what comes with every account. */
export function demoContent(tables: Tables, now: number, demo: boolean): void {
	for (const field_name of RESERVED_FIELDS) tables.reservedFields.add({ field_name }, now);
	tables.templates.add(
		{
			template_name: 'Blank',
			preview_image: 'blank.png',
			json_code: '{}',
			html_code: '<html><body></body></html>',
			is_blank: 1,
			created_at: null,
			updated_at: null,
		},
		now,
	);
	if (!demo) return;
	for (const [field_name, field_type] of CUSTOM_FIELDS) {
		tables.customFields.add({ field_name, field_type }, now - 200 * DAY);
	}
	for (const [template_name, preview_image, heading] of TEMPLATES) {
		const at = isoMicros(now - 190 * DAY);
		tables.templates.add(
			{
				template_name,
				preview_image,
				json_code: block(heading),
				html_code: html(heading),
				created_at: at,
				updated_at: at,
			},
			now,
		);
	}
}
