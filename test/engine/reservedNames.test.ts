import { useService } from './sandbox';

const test = useService();

it.each(['email', 'Email'])(
	'a custom field named as a reserved field is not sent: %s',
	async (fieldName) => {
		const { error } = await test.service.run({
			resource: 'customField',
			operation: 'create',
			fieldName,
		});
		expect(error?.message).toBe(`"Field Name" is the name of a reserved field: "${fieldName}"`);
		expect(test.service.calls()).toEqual(['GET /reserve-fields']);
	},
);
