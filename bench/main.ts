// npm run bench: what a poll of the trigger and a sync cost on this machine. Numbers after `--` are
// the counts of items for the sync.
import { packPackage } from '../scripts/lib/package-tarball.ts';

console.log('Building the package');
await packPackage((text) => console.log(text));
console.log('\nTrigger: one poll over many single sends');
await import('./trigger.ts');
console.log('\nSync: items, of which 1 % are new and 1 % changed, in a real n8n');
await import('./sync.ts');
