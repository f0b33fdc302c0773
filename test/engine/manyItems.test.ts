import { contact } from './records';
import { chosen } from './rows';
import { useService } from './sandbox';

const test = useService();

/** More than the arguments that Node.js passes to a function. */
const items = Array.from({ length: 150_000 }, () => ({
	json: { id: contact.id, email: 'ada@example.com', first_name: 'Ada', country: 'India' },
}));

it('plans a sync of 150,000 items for one person', async () => {
	const { error, items: rows } = await test.service.run(
		{
			...{ resource: 'contact', operation: 'sync', dryRun: true },
			contactTypeId: chosen(21, 'id'),
			fields: { mappingMode: 'autoMapInputData', value: null },
		},
		{ items },
	);
	expect(error).toBeUndefined();
	expect(rows).toHaveLength(items.length);
	expect(rows.filter(({ json }) => json.action !== 'skipped')).toMatchObject([
		{ json: { action: 'wouldUpdate', email: 'ada@example.com' } },
	]);
});
