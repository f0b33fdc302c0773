import * as crypto from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';
import type { ICredentialType, INodeType } from 'n8n-workflow';

import type { Random } from '../../soak/random.ts';
import type { Owner, Scheduler } from './scheduler.ts';
import { root } from './root.ts';

// As n8n loads them: what n8n-workflow has for `import` does not work in Node.js.
const packages = createRequire(join(root, 'package.json'));
const n8nWorkflow = packages('n8n-workflow') as object;

/** A mistake that is put into the published code by hand. */
export interface CodeChange {
	/** Below `nodes/EmailMarketing`. */
	file: string;
	from: string;
	to: string;
}

/** What a process has instead of time and chance. */
export interface Surroundings {
	scheduler: Scheduler;
	owner: Owner;
	random: Random;
	/** The time of day, in milliseconds since 1970. */
	wallClock: () => number;
}

type Compiled = (...given: unknown[]) => void;
type Exports = Record<string, unknown>;

const parameters = ['exports', 'require', 'module', 'Date', 'Math', 'performance', 'AbortSignal'];
const options = {
	jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
	module: { type: 'commonjs' },
} as const;

/** Made once, since making one takes as long as a request. */
const timedOut = new DOMException('The operation was aborted due to timeout', 'TimeoutError');

function globalsOf({ scheduler, owner, random, wallClock }: Surroundings): unknown[] {
	const VirtualDate = new Proxy(Date, {
		construct: (target, given: []) =>
			given.length === 0 ? new target(wallClock()) : new target(...given),
		get: (target, key) => (key === 'now' ? wallClock : (Reflect.get(target, key) as unknown)),
	});
	const VirtualMath = Object.create(Math, {
		random: { value: () => random.whole(0, 2 ** 30) / 2 ** 30 },
	}) as Math;
	const VirtualAbortSignal = new Proxy(AbortSignal, {
		get: (target, key) => (key === 'timeout' ? timeout : (Reflect.get(target, key) as unknown)),
	});
	function timeout(ms: number): AbortSignal {
		const controller = new AbortController();
		let listeners = 0;
		const { signal } = controller;
		const { addEventListener, removeEventListener } = signal;
		signal.addEventListener = (...given: Parameters<AbortSignal['addEventListener']>) => {
			listeners++;
			addEventListener.apply(signal, given);
		};
		signal.removeEventListener = (...given: Parameters<AbortSignal['removeEventListener']>) => {
			listeners--;
			removeEventListener.apply(signal, given);
		};
		const isAwaited = () => {
			if (listeners === 0) controller.abort(timedOut);
			return listeners > 0;
		};
		scheduler.after(ms, () => controller.abort(timedOut), { owner, isAwaited });
		return signal;
	}
	return [VirtualDate, VirtualMath, { now: () => scheduler.now }, VirtualAbortSignal];
}

/** The published code, loaded for each process anew: what one has in memory, no other has. */
export class PublishedCode {
	private readonly compiled = new Map<string, Compiled>();
	private readonly changes: CodeChange[];

	constructor(changes: CodeChange[] = []) {
		this.changes = changes;
	}

	load(surroundings: Surroundings) {
		const { scheduler, owner, random } = surroundings;
		const globals = globalsOf(surroundings);
		const loaded = new Map<string, Exports>();
		const randomBytes = (size: number) =>
			Buffer.from(Array.from({ length: size }, () => random.whole(0, 255)));
		const given: Record<string, unknown> = {
			crypto: { ...crypto, randomBytes },
			luxon: packages('luxon'),
			'n8n-workflow': {
				...n8nWorkflow,
				sleep: async (ms: number) => await scheduler.pause(ms, owner),
			},
		};
		const load = (file: string): Exports => {
			const known = loaded.get(file);
			if (known) return known;
			const module = { exports: {} as Exports };
			loaded.set(file, module.exports);
			const require = (name: string) =>
				name.startsWith('.') ? load(resolve(dirname(file), name)) : given[name];
			this.compile(file)(module.exports, require, module, ...globals);
			return module.exports;
		};
		const instances = new Map<string, unknown>();
		/** Like n8n, which makes one of each in a process. */
		const instanceOf = <T>(path: string, name: string): T => {
			let instance = instances.get(name) as T | undefined;
			if (instance === undefined) {
				const Type = load(join(root, path))[name] as new () => T;
				instance = new Type();
				instances.set(name, instance);
			}
			return instance;
		};
		return {
			trigger: () =>
				instanceOf<INodeType>(
					'nodes/EmailMarketing/EmailMarketingTrigger.node.ts',
					'EmailMarketingTrigger',
				),
			node: () =>
				instanceOf<INodeType>('nodes/EmailMarketing/EmailMarketing.node.ts', 'EmailMarketing'),
			credential: () =>
				instanceOf<ICredentialType>(
					'credentials/EmailMarketingApi.credentials.ts',
					'EmailMarketingApi',
				),
		};
	}

	private compile(file: string): Compiled {
		const known = this.compiled.get(file);
		if (known) return known;
		const { code } = transformSync(this.changed(file), { ...options, filename: file });
		const compiled = compileFunction(code, parameters, { filename: basename(file) }) as Compiled;
		this.compiled.set(file, compiled);
		return compiled;
	}

	private changed(file: string): string {
		let source = readFileSync(file, 'utf8');
		for (const change of this.changes) {
			if (file !== join(root, 'nodes/EmailMarketing', change.file)) continue;
			if (!source.includes(change.from)) throw new Error(`${change.file} has no ${change.from}`);
			source = source.replace(change.from, () => change.to);
		}
		return source;
	}
}

const files = new Map<string, string>();

function resolve(folder: string, name: string): string {
	const path = `${folder}/${name}`;
	let file = files.get(path);
	if (file === undefined) {
		const whole = join(folder, name);
		file = [`${whole}.ts`, join(whole, 'index.ts')].find((each) => existsSync(each)) ?? whole;
		files.set(path, file);
	}
	return file;
}

export type Loaded = ReturnType<PublishedCode['load']>;
