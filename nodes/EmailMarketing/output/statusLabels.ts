/** What the reference calls the status codes of single sends (37), automations (44) and senders (51). */
const STATUS_LABELS = {
	singleSends: { '0': 'initiate', '1': 'ready to send', '2': 'running', '3': 'completed' },
	automations: { '0': 'draft', '1': 'live' },
	senders: { '0': 'unverified', '1': 'verified' },
};

/** Undefined for a code that the reference does not name, such as that of a paused automation. */
export function statusLabel(
	list: keyof typeof STATUS_LABELS,
	code: string | number,
): string | undefined {
	const labels: Record<string, string> = STATUS_LABELS[list];
	return Object.hasOwn(labels, code) ? labels[code] : undefined;
}
