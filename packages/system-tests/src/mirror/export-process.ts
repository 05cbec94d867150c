/**
 * node export-process.ts MIRROR FOLDER [MEMORY_ID]
 *
 * Exports a mirror, then purges a memory, and prints a line for each step until it is killed.
 */
import { writeSync } from 'node:fs';
import { openMirror } from '@memory-read/mirror';

const [folder = '', exports = '', memoryId] = process.argv.slice(2);
const mirror = await openMirror({ folder });
await mirror.exportFiles(exports, {
  formats: ['srt', 'markdown'],
  media: ['audio'],
  timeZone: 'UTC',
  onProgress: ({ type }) => writeSync(1, `${type}\n`),
});
writeSync(1, 'purge\n');
if (memoryId !== undefined) await mirror.purge(memoryId);
await mirror.close();
