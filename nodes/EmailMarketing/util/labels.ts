/** API fields whose label in the editor is not simply their name in title case. */
const labels: Record<string, string> = {
	address_line1: 'Address Line 1',
	address_line2: 'Address Line 2',
	alt_email: 'Alternative Email',
	automation_for: 'Audience',
	city_id: 'City',
	company_address2: 'Company Address Line 2',
	contact_id: 'Contact',
	contact_type_id: 'Contact Type (List)',
	country_id: 'Country',
	exclude_specific_recipient_id: 'Exclude Names or IDs',
	file: 'Input Data Field Name',
	groupId: 'Unsubscribe Group',
	html_code: 'HTML Code',
	id: 'ID',
	is_display: 'Show on Preferences Page',
	json_code: 'JSON Code',
	preview_img: 'Preview Image',
	PublicKey: 'Public Key',
	recipient_id: 'Recipient Names or IDs',
	schedule_date: 'Send At',
	schedule_time: 'Send At',
	schedule_type: 'Schedule',
	SecretKey: 'Secret Key',
	segment_id: 'Segment',
	segment_recipient_id: 'Segment Recipient',
	sender_id: 'Sender',
	single_send: 'Campaign',
	single_send_name: 'Campaign Name',
	state_id: 'State',
	state_province_region: 'State, Province or Region',
	strIds: 'Records',
	template_html: 'HTML',
	template_id: 'Template',
	template_json: 'JSON',
	type: 'Automation Type',
	unsubscribe_group_id: 'Unsubscribe Group',
	unsubscribe_groups_id: 'Unsubscribe Group',
	user_id: 'User ID',
	utr: 'UTR',
};

/** The label under which the editor shows the API field `name`, such as `Reply To Email` for `reply_to_email`. */
export function labelOf(name: string): string {
	const known = Object.hasOwn(labels, name) ? labels[name] : undefined;
	return (
		known ??
		name
			.split('_')
			.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
			.join(' ')
	);
}
