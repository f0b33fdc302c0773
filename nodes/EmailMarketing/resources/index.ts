import type { INodeProperties } from 'n8n-workflow';

import { account } from './account';
import { automation } from './automation';
import { automationSchedule } from './automationSchedule';
import { contact } from './contact';
import { contactType } from './contactType';
import { customField } from './customField';
import { designTemplate } from './designTemplate';
import { globalUnsubscribe } from './globalUnsubscribe';
import { location } from './location';
import { notificationRecipient } from './notificationRecipient';
import { person } from './person';
import { segment } from './segment';
import { sender } from './sender';
import { singleSend } from './singleSend';
import { unsubscribeGroup } from './unsubscribeGroup';
import { campaignCheck } from './fields/campaignCheck';
import { campaignTest } from './fields/campaignTest';
import { commonFields } from './fields/common';
import { contactExport } from './fields/contactExport';
import { contactProblems } from './fields/contactProblems';
import { contactApplyPlan, contactSync } from './fields/contactSync';
import { recipientApplyPlan, recipientSync } from './fields/recipientSync';

/** Operations and fields of all resources, then the fields that they share. */
export const resourceFields: INodeProperties[] = [
	...account,
	...automation,
	...automationSchedule,
	...contact,
	contactProblems,
	...contactSync,
	...contactType,
	...customField,
	...designTemplate,
	...globalUnsubscribe,
	...location,
	...notificationRecipient,
	...person,
	...segment,
	...sender,
	...singleSend,
	...unsubscribeGroup,
	campaignCheck,
	...campaignTest,
	...commonFields,
	...contactExport,
	...contactApplyPlan,
	...recipientSync,
	...recipientApplyPlan,
];
