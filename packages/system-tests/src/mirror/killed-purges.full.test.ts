import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';
import { openMirror } from '@memory-read/mirror';
import { createInMemoryStore } from '@memory-read/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { addAccount, createMemoryService } from '@memory-read/test-kit/memory-service';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { sampleRecord } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';

const perKill = 2;
const at = '2026-03-01T09:00:00.000Z';
const purgeProcess = join(import.meta.dirname, 'purge-process.ts');

test('leaves each memory complete or without a byte when purges are killed a hundred times', {
  timeout: 180_000,
}, async () => {
  const { lanes, kills } = runCounts.killedPurges.full;
  // Only a process that ends by itself writes the cache.
  await once(start([makeFolder()]), 'exit');
  const counts = await Promise.all(Array.from({ length: lanes }, () => killPurges(kills)));
  const purged = counts.reduce((sum, count) => sum + count, 0);
  // Both cases occurred: kills before the first purge of a process, and after it.
  expect(purged).toBeGreaterThan(lanes);
  expect(purged).toBeLessThan(lanes * kills * perKill);
});

/** Kills processes that purge, and returns how many memories are gone. */
async function killPurges(kills: number): Promise<number> {
  const folder = makeFolder();
  const ids = Array.from({ length: kills * perKill }, (_item, index) => `secret${index}x`);
  await fill(folder, ids);
  let purged = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const own = ids.slice(kill * perKill, (kill + 1) * perKill);
    await killOne([folder, ...own]);
    const mirror = await openMirror({ folder });
    for (const id of own) {
      const kept = await mirror.getMemory(id);
      const { hits } = await mirror.search(`said${id}`);
      expect(hits, id).toHaveLength(kept === undefined ? 0 : 1);
      if (kept !== undefined) continue;
      purged += 1;
      expect(filesWith(folder, id), id).toEqual([]);
    }
    await mirror.close();
  }
  const mirror = await openMirror({ folder, readOnly: true });
  const { memories } = await mirror.listMemories({ limit: 1_000 });
  expect(memories).toHaveLength(ids.length - purged);
  await mirror.close();
  return purged;
}

async function fill(folder: string, ids: readonly string[]): Promise<void> {
  const store = createInMemoryStore();
  const records = ids.map((id) => {
    const said = { speaker: 'Ada', start_at: at, end_at: at, text: `said${id}` };
    return sampleRecord({ id, name: `named${id}`, transcript: { segments: [said] } });
  });
  const { key } = await addAccount(store, 'user_1', records);
  const { fetch } = createMemoryService(store, 'https://api.example.com');
  const mirror = await openMirror({ folder });
  await mirror.sync(new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: key, fetch }));
  await mirror.writePages({ timeZone: 'UTC' });
  await mirror.close();
}

/** Kills a process at a random point after it has opened the mirror. */
async function killOne(args: readonly string[]): Promise<void> {
  const child = start(args);
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  setTimeout(() => child.kill('SIGKILL'), Math.random() * 60);
  await ended;
}

function start(args: readonly string[]) {
  return spawn(process.execPath, ['--conditions=@memory-read/source', purgeProcess, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function filesWith(folder: string, text: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => path.includes(text) || readFileSync(path).includes(text));
}
