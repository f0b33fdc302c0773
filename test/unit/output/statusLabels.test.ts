import { withStatusLabel } from '../../../nodes/EmailMarketing/records/statusLabels';

it('the label follows the status, and a field named __proto__ stays a field', () => {
	const record = JSON.parse('{"status":3,"__proto__":{"a":1},"name":"Spring"}') as object;
	const labelled = withStatusLabel({ ...record }, 'singleSend');
	expect(JSON.stringify(labelled)).toBe(
		'{"status":3,"statusLabel":"completed","__proto__":{"a":1},"name":"Spring"}',
	);
	expect(Object.getPrototypeOf(labelled)).toBe(Object.prototype);
});

it.each([[{ name: 'Spring' }], [{ status: null }], [{ status: {} }]])(
	'%j without a status has no label',
	(record) => {
		expect(withStatusLabel(record, 'singleSend')).toBe(record);
	},
);
