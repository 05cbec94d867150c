/**
 * node --conditions=@memory-read/source purge-process.ts FOLDER MEMORY_ID…
 *
 * Purges memories of a mirror one after the other, until it is killed.
 */
import { openMirror } from '@memory-read/mirror';

const [folder = '', ...memoryIds] = process.argv.slice(2);
const mirror = await openMirror({ folder });
process.stdout.write('open\n');
for (const memoryId of memoryIds) await mirror.purge(memoryId);
await mirror.close();
