import type { IDataObject } from 'n8n-workflow';

import { chosen } from '../rows';

/** A single send that is ready, by the item's own fields. */
export const fresh: IDataObject = {
	singleSendName: 'Spring',
	subject: 'It is spring, ((first_name))',
	preheader: 'At last',
	senderId: chosen('81'),
	unsubscribeGroupId: chosen('51'),
	recipientId: ['contacts_21'],
	templateSource: 'template',
	templateId: chosen('2'),
	scheduleType: 'immediately',
};

export const checkNew: IDataObject = {
	resource: 'singleSend',
	operation: 'check',
	campaign: 'new',
	...fresh,
};

/** Codes of findings, each with what it is. */
export const codesOf = ({ findings }: IDataObject): string[] =>
	(findings as IDataObject[]).map(({ code, severity }) => `${String(severity)} ${String(code)}`);
