import { unusable } from '../../../nodes/EmailMarketing/params/currentValue';
import {
	keepBody,
	templateHtml,
	templateId,
	templateJson,
} from '../../../nodes/EmailMarketing/params/template';
import { itemWith, refusal } from './support';

const inputs = { templateId, templateHtml, templateJson };
const sent = (
	name: keyof typeof inputs,
	value: unknown,
	parameters: Record<string, unknown>,
	prefix = '',
) => inputs[name](prefix).encode(value, 'Field', itemWith(parameters));

describe('the content of a new campaign', () => {
	const html = { templateSource: 'html' };
	const json = { templateSource: 'json' };

	it('is a template unless another kind is chosen', () => {
		expect(sent('templateId', 7, {})).toBe('7');
		expect(sent('templateId', 7, { templateSource: 'template' })).toBe('7');
		expect(sent('templateHtml', '<p>', {})).toBeUndefined();
		expect(sent('templateJson', '{}', {})).toBeUndefined();
	});

	it('is the blank template with HTML or JSON of its own', () => {
		expect(sent('templateId', 7, html)).toBe('1');
		expect(sent('templateId', '', json)).toBe('1');
		expect(sent('templateHtml', ' <p> ', html)).toBe(' <p> ');
		expect(sent('templateJson', '{}', html)).toBeUndefined();
		expect(sent('templateJson', '{"rows":[]}', json)).toBe('{"rows":[]}');
		expect(sent('templateJson', { rows: [] }, json)).toBe('{"rows":[]}');
		expect(sent('templateHtml', '<p>', json)).toBeUndefined();
	});

	it('is of one of three kinds', () => {
		expect(refusal(() => sent('templateId', 7, { templateSource: 'pdf' }))).toEqual([
			'"Content" cannot be "pdf"',
			'Choose one of: template, html, json.',
		]);
	});

	const noHtml = 'Enter the HTML of the email, or choose "Design Template" as "Content".';
	const noJson = 'Enter the JSON of the design, or choose "Design Template" as "Content".';
	const badJson =
		'Copy the design from the editor of the service again, or check brackets and quotes.';

	it.each([
		['', '"Field" is required but empty'],
		[null, '"Field" is required but empty'],
		['  ', '"Field" must be text, but it is "  "'],
		[5, '"Field" must be text, but it is "5"'],
	])('has no HTML of %j', (value, message) => {
		expect(refusal(() => sent('templateHtml', value, html))).toEqual([message, noHtml]);
	});

	it('has no JSON that is empty or cannot be read', () => {
		const [empty, half] = ['', '{"rows":'].map((value) =>
			refusal(() => sent('templateJson', value, json)),
		);
		expect(empty).toEqual(['"Field" is required but empty', noJson]);
		expect(half).toEqual(['"Field" is not valid JSON: Unexpected end of JSON input', badJson]);
		const circular: Record<string, unknown> = {};
		circular.self = circular;
		expect(refusal(() => sent('templateJson', circular, json))).toEqual([
			'"Field" is not valid JSON: Unexpected end of JSON input',
			badJson,
		]);
	});

	it('is in fields that an update can leave alone, but not empty', () => {
		expect(templateId('updateFields.')).toMatchObject({
			parameter: 'updateFields.templateId',
			identifies: false,
			required: true,
		});
		const body = { cleared: false };
		expect(templateHtml('updateFields.')).toMatchObject({
			...body,
			parameter: 'updateFields.templateHtml',
		});
		expect(templateJson()).toMatchObject({ ...body, parameter: 'templateJson' });
		expect(templateHtml().parameter).toBe('templateHtml');
		expect(templateId().parameter).toBe('templateId');
	});
});

describe('the content of an update', () => {
	const html = { 'updateFields.templateHtml': '<p>' };
	const json = { 'updateFields.templateJson': '{"a":1}' };
	const template = { 'updateFields.templateId': { __rl: true, mode: 'id', value: 7 } };
	const empty = { 'updateFields.templateId': { __rl: true, mode: 'id', value: '' } };

	it('is what the update gives', () => {
		expect(sent('templateHtml', '<p>', html, 'updateFields.')).toBe('<p>');
		expect(sent('templateId', '', html, 'updateFields.')).toBe('1');
		expect(sent('templateJson', '{"a":1}', json, 'updateFields.')).toBe('{"a":1}');
		expect(sent('templateJson', '{}', html, 'updateFields.')).toBeUndefined();
		expect(sent('templateId', 7, template, 'updateFields.')).toBe('7');
		expect(sent('templateId', '', {}, 'updateFields.')).toBeUndefined();
	});

	it('is one only: an empty field is none', () => {
		expect(sent('templateHtml', '<p>', { ...html, ...empty }, 'updateFields.')).toBe('<p>');
		expect(
			refusal(() => sent('templateHtml', '<p>', { ...html, ...template }, 'updateFields.')),
		).toEqual([
			'"Template" and "HTML" cannot be set together',
			'Keep one of them: a campaign has one body.',
		]);
		expect(
			refusal(() => sent('templateId', 7, { ...html, ...json, ...template }, 'updateFields.'))[0],
		).toBe('"Template" and "HTML" and "JSON" cannot be set together');
	});
});

describe('the body that an update keeps', () => {
	const own = { template_id: 1, template_html: '<p>', template_json: '' };
	const design = { template_id: '1', template_html: '<p>', template_json: { rows: [] } };
	const kept = (
		field: 'template_html' | 'template_json',
		record: object,
		given: Record<string, string> = {},
	) => keepBody(field)({ ...record }, given, itemWith());

	it('is that of the record', () => {
		expect(kept('template_html', own)).toBe('<p>');
		expect(kept('template_json', own)).toBeUndefined();
		expect(kept('template_json', { ...own, template_json: null })).toBeUndefined();
		expect(kept('template_json', design)).toBe('{"rows":[]}');
		expect(kept('template_json', { ...design, template_json: '{"a":1}' })).toBe('{"a":1}');
	});

	it('is emptied where the update gives another', () => {
		expect(kept('template_html', own, { template_id: '7' })).toBe('');
		expect(kept('template_json', own, { template_id: '7' })).toBeUndefined();
		expect(kept('template_json', design, { template_id: '1' })).toBe('');
	});

	it('is none where it has no form for a request', () => {
		const circular: Record<string, unknown> = {};
		circular.self = circular;
		expect(kept('template_json', { ...design, template_json: circular })).toBe(unusable);
		expect(kept('template_html', { ...own, template_html: ['<p>'] })).toBe(unusable);
	});
});
