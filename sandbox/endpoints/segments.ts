import { endpoint, unknownReferences } from '../endpoint.ts';
import { listOf, ordered } from '../lists.ts';
import type { SegmentRecipient } from '../model.ts';
import { email, integer, text } from '../params.ts';
import { notFound, success, successUnderErrors } from '../replies.ts';
import type { Settings } from '../settings.ts';
import type { Tables } from '../store.ts';

const shown = (row: SegmentRecipient) => ({
	...row,
	fullname: `${row.first_name} ${row.last_name}`.trim(),
});

/** Recipients that are known before anything is sent. */
const found = (tables: Tables, settings: Settings): SegmentRecipient[] =>
	ordered(tables.segmentRecipients, settings).filter(
		({ contact_id }) => contact_id === null || settings.segmentCounts !== 'whenSending',
	);

export const segments = [
	endpoint({
		number: '26',
		method: 'GET',
		path: '/segment/list',
		run: (_input, { tables, settings }) => {
			const counts = new Map<number, number>();
			for (const { segment_id: segment } of found(tables, settings)) {
				counts.set(segment, (counts.get(segment) ?? 0) + 1);
			}
			const segments = ordered(tables.segments, settings).map((segment) => ({
				...segment,
				segment_emails_count: counts.get(segment.id) ?? 0,
			}));
			return success({ segments });
		},
	}),
	endpoint({
		number: '27',
		method: 'GET',
		path: '/segment/email/list',
		query: { segment_id: integer },
		run: ({ segment_id }, { tables, settings }) => {
			if (!tables.segments.get(segment_id)) return notFound('Record not found');
			const rows = found(tables, settings).filter((row) => row.segment_id === segment_id);
			return listOf('contactEmails', rows.map(shown));
		},
	}),
	endpoint({
		number: '28',
		method: 'POST',
		path: '/segment/email/store',
		body: { segment_id: integer, first_name: text(), last_name: text(), email },
		run: (fields, { tables, clock }) => {
			const failure = unknownReferences({ segment_id: !!tables.segments.get(fields.segment_id) });
			if (failure) return failure;
			tables.segmentRecipients.add(fields, clock.now());
			return success('Added Successfully');
		},
	}),
	endpoint({
		number: '29',
		method: 'DELETE',
		path: '/segment/email/delete',
		query: { segment_recipient_id: integer },
		run: ({ segment_recipient_id }, { tables }) => {
			if (!tables.segmentRecipients.get(segment_recipient_id)) return notFound('Record Not Found');
			tables.segmentRecipients.remove(segment_recipient_id);
			return success('Deleted Successfully');
		},
	}),
	endpoint({
		number: '30',
		method: 'DELETE',
		path: '/segment/delete',
		query: { segment_id: integer },
		run: ({ segment_id }, { tables }) => {
			if (!tables.segments.get(segment_id)) return notFound('Record Not Found');
			for (const row of tables.segmentRecipients.all()) {
				if (row.segment_id === segment_id) tables.segmentRecipients.remove(row.id);
			}
			tables.segments.remove(segment_id);
			return successUnderErrors('Deleted Successfully');
		},
	}),
];
