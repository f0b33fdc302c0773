import { countryWithCode, states, cities } from '../data/locations.ts';
import { dateTime } from '../format.ts';
import type { Sender, SingleSend } from '../model.ts';
import { audienceOf, COMPLETED, INITIATE, READY, RUNNING, statisticsOf } from '../singleSendRun.ts';
import type { Tables } from '../store.ts';
import { DAY } from './content.ts';

/** Senders, single sends in every state, automations and who is told of events. */
export function demoCampaigns(tables: Tables, now: number): void {
	const sender = addSenders(tables, now);
	addSingleSends(tables, now, sender);
	addAutomations(tables, now, sender);
	for (const [email_owner, email_address] of [
		['Maya Lindt', 'maya@roastery.example.com'],
		['Support desk', 'support@roastery.example.com'],
	] as const) {
		tables.notificationRecipients.add({ email_owner, email_address }, now - 120 * DAY);
	}
}

function addSenders(tables: Tables, now: number): Sender {
	const germany = countryWithCode('DE').id;
	const berlin = states.find((state) => state.name === 'Berlin')?.id ?? 0;
	const place = {
		country_id: germany,
		state_id: berlin,
		city_id: cities.find((city) => city.state_id === berlin)?.id ?? 0,
		zip_code: '10115',
		company_address: 'Chausseestraße 5',
	};
	const [verified] = [
		['Morning Roastery', 'hello', 'Main sender', 1],
		['Roastery Wholesale', 'wholesale', 'Wholesale', 0],
	].map(([from_name, local, nickname, is_verified]) =>
		tables.senders.add(
			{
				...place,
				from_name: String(from_name),
				from_email: `${local}@roastery.example.com`,
				reply_to_email: 'support@roastery.example.com',
				nickname: String(nickname),
				is_verified: Number(is_verified),
				send_at: dateTime(now - 150 * DAY),
			},
			now - 150 * DAY,
		),
	);
	if (!verified) throw new Error('The demo has a sender');
	return verified;
}

function addSingleSends(tables: Tables, now: number, sender: Sender): void {
	const [customers, subscribers] = tables.contactTypes.all();
	const [segment] = tables.segments.all();
	const [offers] = tables.unsubscribeGroups.all();
	const common = {
		sender_id: sender.id,
		from_sender: sender.from_email,
		reply_to: sender.reply_to_email,
		sender_name: sender.from_name,
		sender_address: sender.company_address,
		unsubscribe_group_id: offers?.id ?? 0,
		preheader: 'Fresh from the roastery',
	};
	const toType = (id = 0) => [{ id: String(id), table: 'contacts_' }];
	const rows: Array<Partial<SingleSend> & { days: number }> = [
		{
			days: 30,
			single_send_name: 'October newsletter',
			subject: 'What we roasted in October',
			template_id: 2,
			recipient_id: toType(subscribers?.id),
			status: COMPLETED,
		},
		{
			days: 1,
			single_send_name: 'Weekend offer',
			subject: 'Two bags for one',
			template_id: 4,
			recipient_id: toType(customers?.id),
			status: RUNNING,
		},
		{
			days: 2,
			single_send_name: 'Tasting evening',
			subject: 'You are invited',
			template_id: 5,
			recipient_id: [{ id: String(segment?.id), table: 'segments_' }],
			schedule_type: 1,
			schedule_date: dateTime(now + 3 * DAY).slice(0, 10),
			schedule_time: '09:30:00',
			status: READY,
		},
		{
			days: 0,
			single_send_name: 'Holiday opening hours',
			subject: 'When we are open',
			template_id: 1,
			template_html: '<html><body><h1>Opening hours</h1></body></html>',
			recipient_id: toType(customers?.id),
			exclude_specific_recipient_id: toType(subscribers?.id),
			schedule_type: 1,
			schedule_date: dateTime(now + 20 * DAY).slice(0, 10),
			schedule_time: '08:00:00',
			status: INITIATE,
		},
	];
	for (const { days, ...row } of rows) {
		const at = now - days * DAY;
		const send = tables.singleSends.add({ ...common, ...row }, at);
		if (send.status < RUNNING) continue;
		const share = send.status === COMPLETED ? 1 : 0.5;
		tables.singleSends.change(send, {
			...statisticsOf(send.utr, audienceOf(tables, send), share),
			sent_at: dateTime(at + 60_000),
		});
	}
}

function addAutomations(tables: Tables, now: number, sender: Sender): void {
	const [, subscribers] = tables.contactTypes.all();
	const [, news] = tables.unsubscribeGroups.all();
	const [segment] = tables.segments.all();
	const group = String(news?.id);
	const target = { automation_for: subscribers?.id ?? 0, automation_for_table: 'contacts_' };
	const welcome = tables.automations.add(
		{
			...target,
			automation_name: 'Welcome series',
			automation_type: 1,
			unsubscribe_group_id: group,
			status: 1,
			live_at: dateTime(now - 100 * DAY),
			total_triggered: 19,
			total_delivered: 18,
			total_unique_opens: 11,
			total_opens: 17,
			total_bounces: 1,
			total_unsubscribe: 1,
		},
		now - 101 * DAY,
	);
	const winBack = tables.automations.add(
		{
			automation_for: segment?.id ?? 0,
			automation_for_table: 'segments_',
			automation_name: 'Win back',
			unsubscribe_group_id: group,
		},
		now - 10 * DAY,
	);
	tables.automations.add({ ...target, automation_name: 'Birthday greeting' }, now - 5 * DAY);
	const emails = [
		[welcome.id, 'Welcome to the roastery', 1, 'instantly'],
		[welcome.id, 'How to brew a better cup', 3, 'days'],
		[welcome.id, 'A gift for your second order', 10, 'days'],
		[winBack.id, 'We miss you', 12, 'hours'],
	] as const;
	const template = tables.templates.get(3);
	for (const [automation_id, subject, waiting_period, waiting_type] of emails) {
		tables.automationSchedules.add(
			{
				automation_id,
				sender_id: sender.id,
				subject,
				waiting_period,
				waiting_type,
				template_id: 3,
				preview_img: template?.preview_image ?? '',
				template_json: template?.json_code ?? '',
				template_html: template?.html_code ?? '',
				image: `https://design.example.com/preview/${template?.preview_image}`,
			},
			now - 100 * DAY,
		);
	}
}
