import { running } from './running.ts';

export default async function globalTeardown(): Promise<void> {
	await Promise.all(running.map((process_) => process_.stop()));
}
