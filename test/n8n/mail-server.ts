import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { n8n } from './harness.ts';

export interface MailServer {
	/** The credential of the node that sends. */
	credentials: { smtp: { id: string; name: string } };
	/** The next email that was not read yet, decoded. */
	nextMail(): Promise<string>;
	stop(): Promise<void>;
}

const decoded = (mail: string) =>
	Buffer.from(
		mail
			.replace(/=\r\n/g, '')
			.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
		'latin1',
	).toString('utf8');

/** Speaks as much SMTP as a client needs to hand in one email after the other. */
function receive(socket: Socket, take: (mail: string) => void): void {
	let text = '';
	let inMail = false;
	const say = (line: string) => socket.write(`${line}\r\n`);
	say('220 ready');
	socket.setEncoding('latin1').on('data', (piece: string) => {
		text += piece;
		for (;;) {
			const end = inMail ? '\r\n.\r\n' : '\r\n';
			const at = text.indexOf(end);
			if (at < 0) return;
			const part = text.slice(0, at);
			text = text.slice(at + end.length);
			if (inMail) take(decoded(part));
			const isData = !inMail && part === 'DATA';
			if (!inMail && part === 'QUIT') socket.end('221 bye\r\n');
			else say(isData ? '354 go on' : '250 done');
			inMail = isData;
		}
	});
}

/** Takes emails on the loopback address, and creates a credential for it. */
export async function serveMail(): Promise<MailServer> {
	const mails: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		receive(socket, (mail) => mails.push(mail));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const { id, name } = await n8n.client.createCredential('Stub of a mail server', 'smtp', {
		...{ host: '127.0.0.1', port, user: '', password: '' },
		...{ secure: false, disableStartTls: true },
	});
	const nextMail = async () => {
		for (let tries = 0; tries < 200; tries++) {
			const mail = mails.shift();
			if (mail !== undefined) return mail;
			await sleep(100);
		}
		throw new Error('No email came');
	};
	const stop = async () => {
		for (const socket of sockets) socket.destroy();
		server.close();
		await once(server, 'close');
	};
	return { credentials: { smtp: { id, name } }, nextMail, stop };
}
