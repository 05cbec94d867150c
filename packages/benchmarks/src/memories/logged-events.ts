import { type Mirror, openMirror } from '@memory-read/mirror';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { accountOf } from './spoken-memories.ts';

/** Secret of the webhooks of the benchmarks. */
export const webhookSecret = `whsec_${Buffer.alloc(32, 'benchmark').toString('base64')}`;

/** Opens a new mirror with this number of events: each memory is added, and processed already. */
export async function openLoggedMirror(folder: string, events: number): Promise<Mirror> {
  const memories = Array.from({ length: events / 2 }, (_item, index) => sampleMemory({ id: `mem_${index}` }));
  const mirror = await openMirror({ folder });
  await mirror.sync(accountOf(memories).client());
  return mirror;
}
