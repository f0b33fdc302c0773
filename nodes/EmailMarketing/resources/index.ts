import type { INodeProperties } from 'n8n-workflow';

import { account } from './account';
import { campaignCheck } from './campaignCheck';
import { campaignTest } from './campaignTest';
import { commonFields } from './fields/common';
import { automation } from './automation';
import { automationSchedule } from './automationSchedule';
import { contact } from './contact';
import { contactExport } from './contactExport';
import { contactApplyPlan } from './contactApplyPlan';
import { contactSync } from './contactSync';
import { contactType } from './contactType';
import { customField } from './customField';
import { designTemplate } from './designTemplate';
import { globalUnsubscribe } from './globalUnsubscribe';
import { location } from './location';
import { notificationRecipient } from './notificationRecipient';
import { contactProblems } from './people/contactProblems';
import { person } from './people/person';
import { recipientApplyPlan, recipientSync } from './people/recipientSync';
import { segment } from './segment';
import { sender } from './sender';
import { singleSend } from './singleSend';
import { unsubscribeGroup } from './unsubscribeGroup';

/** Operations and fields of all resources, then the fields that they share. */
export const resourceFields: INodeProperties[] = [
	...account,
	...automation,
	...automationSchedule,
	...contact,
	contactProblems,
	...contactSync,
	...contactApplyPlan,
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
	...recipientSync,
	...recipientApplyPlan,
];
