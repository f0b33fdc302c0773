import { addOnce } from '../../run/addOnce';
import { addressKey, spellingKey } from '../../util/email';

/** Global Unsubscribe: Add (2) with one address. The service matches each spelling of an address only. */
export const addListedOnce = addOnce('added', ({ body }) => {
	const address = String(body.email_address);
	return address.includes(',') ? undefined : { key: spellingKey(address), address };
});

/** Segment: Add Recipient (28). */
export const addToSegmentOnce = addOnce('added', ({ body }) => {
	const address = String(body.email);
	return { key: `${String(body.segment_id)} ${addressKey(address)}`, address };
});

/** Notification Recipient: Create (50b). */
export const notifyOnce = addOnce('created', ({ body }) => {
	const address = String(body.email_address);
	return { key: addressKey(address), address };
});
