// For comparison: a declarative node as one writes it at first. Every field sends itself, the address and the
// keys are expressions, and n8n starts all requests at once.
'use strict';

const field = (displayName, name, api) => ({
	displayName,
	name,
	type: 'string',
	default: '',
	routing: { send: { type: 'body', property: api } },
});

class NaiveContact {
	description = {
		displayName: 'Naive Contact',
		name: 'naiveContact',
		group: ['output'],
		version: 1,
		description: 'Create contacts',
		defaults: { name: 'Naive Contact' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'emailMarketingApi', required: true }],
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			headers: {
				accept: 'application/json',
				'content-type': 'multipart/form-data',
			},
		},
		properties: [
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				default: 'create',
				options: [
					{
						name: 'Create',
						value: 'create',
						routing: { request: { method: 'POST', url: '/contacts/add' } },
					},
				],
			},
			field('Contact Type', 'contactTypeId', 'contact_type_id'),
			field('Email', 'email', 'email'),
			field('Country', 'country', 'country'),
			field('First Name', 'firstName', 'first_name'),
			field('Last Name', 'lastName', 'last_name'),
			field('City', 'city', 'city'),
		],
	};
}

module.exports = { NaiveContact };
