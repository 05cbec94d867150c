import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Mirror, openMirror } from '@memory-read/mirror';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { accountOf } from './spoken-memories.ts';

/** Secret of the webhooks of the benchmarks. */
export const webhookSecret = `whsec_${Buffer.alloc(32, 'benchmark').toString('base64')}`;

const SYNCED = 5_000;

/**
 * Fills a new mirror with a log of about this number of events. Beyond the first ones, which a sync wrote, they are
 * copies: a sync of all would take minutes.
 */
export async function fillLog(folder: string, events: number): Promise<void> {
  await (await openLoggedMirror(folder, Math.min(events, SYNCED))).close();
  const database = new DatabaseSync(join(folder, 'mirror.sqlite'));
  const copy = database.prepare(
    `INSERT INTO events (memory_key, version, type, at, fields, ends_processing, checksum)
    SELECT memory_key, version + ?, type, at, fields, ends_processing, checksum FROM events WHERE version = 1`,
  );
  for (let copies = 1; copies < events / SYNCED; copies += 1) copy.run(copies);
  database.close();
}

/** Opens a new mirror with this number of events: each memory is added, and processed already. */
export async function openLoggedMirror(folder: string, events: number): Promise<Mirror> {
  const memories = Array.from({ length: events / 2 }, (_item, index) => sampleMemory({ id: `mem_${index}` }));
  const mirror = await openMirror({ folder });
  await mirror.sync(accountOf(memories).client());
  return mirror;
}
