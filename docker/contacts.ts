// Serves the contacts file of the examples to the n8n of compose.yaml.
import { join } from 'node:path';
import { serveFile } from '../scripts/lib/file-server.ts';

const file = join(import.meta.dirname, '..', 'examples', 'data', 'contacts.csv');
const [port = '4011', host] = process.argv.slice(2);
const { url, stop } = await serveFile(file, Number(port), host);
console.log(`${file} is at ${url}`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop());
