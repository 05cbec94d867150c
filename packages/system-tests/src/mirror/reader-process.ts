/**
 * node reader-process.ts FOLDER
 *
 * Reads a mirror until standard input ends, and fails if a memory is incomplete. Prints the number of reads.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { openMirror } from '@memory-read/mirror';

const [folder = ''] = process.argv.slice(2);
let isEnded = false;
process.stdin.on('end', () => (isEnded = true)).resume();
const mirror = await openMirror({ folder, readOnly: true });
let reads = 0;
let most = 0;
while (!isEnded) {
  const { memories } = await mirror.listMemories();
  if (memories.length < most) throw new Error(`${most} memories became ${memories.length}.`);
  most = memories.length;
  for (const { memory } of memories) {
    const kept = await mirror.getMemory(memory.id);
    const { hits } = await mirror.search(`said${memory.id}`);
    if (hits.length !== 1 || kept?.memory.transcript === null) throw new Error(`${memory.id} is not whole.`);
    const { path, size } = kept?.media.audio ?? {};
    if (path !== undefined && readFileSync(join(folder, path)).length !== size)
      throw new Error(`${path} is not whole.`);
  }
  reads += 1;
  await setImmediate();
}
await mirror.close();
process.stdout.write(`${JSON.stringify({ reads, most })}\n`);
