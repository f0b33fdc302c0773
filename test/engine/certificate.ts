import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A value in DER, the encoding of certificates. */
function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const { length } = content;
	const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const algorithm = sequence(oid('2a8648ce3d040302'));

const timeOf = (days: number) => {
	const digits = new Date(Date.now() + days * 86_400_000).toISOString().replace(/\D/g, '');
	return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
};

/**
 * A certificate and its key, as `https.createServer` takes them. Made anew each time, so it never expires by itself.
 *
 * @param to days from today
 */
export function selfSigned(host: string, to = 1): { key: string; cert: string } {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const commonName = sequence(oid('550403'), der(0x0c, Buffer.from(host)));
	const name = sequence(der(0x31, commonName));
	const isAddress = /^[\d.]+$/.test(host);
	const altName = isAddress
		? der(0x87, Buffer.from(host.split('.').map(Number)))
		: der(0x82, Buffer.from(host));
	const extension = sequence(oid('551d11'), der(0x04, sequence(altName)));
	const signed = sequence(
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1]), randomBytes(8)),
		algorithm,
		name,
		sequence(timeOf(-9), timeOf(to)),
		name,
		publicKey.export({ type: 'spki', format: 'der' }),
		der(0xa3, sequence(extension)),
	);
	const signature = der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey));
	const body = sequence(signed, algorithm, signature).toString('base64');
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
	};
}
