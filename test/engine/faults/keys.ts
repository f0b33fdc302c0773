import { Container, type Constructable } from '@n8n/di';
import { stringify } from 'flatted';
import { ErrorReporter } from 'n8n-core';
import { LoggerProxy, type Logger } from 'n8n-workflow';
import { inspect } from 'node:util';

import { keys } from '../engine';

const levels = ['error', 'warn', 'info', 'debug'] as const;

/** A value as n8n saves it, and with all that only a debugger shows. */
function whole(value: unknown): string {
	const everything = { depth: 50, showHidden: true, maxArrayLength: null, maxStringLength: null };
	return `${stringify(value)}\n${inspect(value, everything)}`;
}

/** Keeps what n8n logs at any level, what it reports as an error, and what is written to the console. */
export class Watch {
	private readonly kept: string[] = [];
	private readonly spies: jest.SpyInstance[] = [];

	start(): void {
		const keep = (...values: unknown[]) => values.forEach((value) => this.add(value));
		const reporter = Container.get(ErrorReporter) as unknown as {
			logger: Logger;
			report: (error: unknown) => void;
		};
		const methods = Object.fromEntries(levels.map((level) => [level, { value: keep }]));
		const logger = Object.create(reporter.logger, methods) as Logger;
		Object.defineProperty(logger, 'scoped', { value: () => logger });
		Container.set(reporter.logger.constructor as Constructable<Logger>, logger);
		LoggerProxy.init(logger);
		this.spies.push(
			jest.spyOn(reporter, 'report').mockImplementation(keep),
			...([...levels, 'log'] as const).map((method) =>
				jest.spyOn(console, method).mockImplementation(keep),
			),
			...[process.stdout, process.stderr].map((stream) =>
				jest.spyOn(stream, 'write').mockImplementation((text) => {
					keep(String(text));
					return true;
				}),
			),
		);
	}

	add(value: unknown): void {
		this.kept.push(whole(value));
	}

	/** Ends the watching and gives everything that was kept. */
	end(): string {
		for (const spy of this.spies.splice(0)) spy.mockRestore();
		return this.kept.splice(0).join('\n');
	}
}

/** Which of the two keys occur in a text. */
export const keysIn = (text: string) =>
	Object.entries(keys).flatMap(([name, key]) => (text.includes(key) ? [name] : []));
