import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMockServer } from '@memory-read/msw/server';
import { makeFolder } from '@memory-read/test-kit/make-folder';
import { runCounts } from '@memory-read/test-kit/run-counts';
import { expect, test } from 'vitest';
import { createRandomBytes } from './random-bytes.ts';
import { startSave } from './start-save.ts';

const size = 3_000_000;
const bytes = createRandomBytes(size, 3);

test('files that are saved through kills at random places are identical', { timeout: 300_000 }, async () => {
  for (let run = 0; run < runCounts.killedDownloads.full; run += 1) await saveThroughKills();
});

/** Saves one file with a process that is killed at random points three times, and then completes it. */
async function saveThroughKills(): Promise<void> {
  const folder = makeFolder();
  const path = join(folder, 'a.wav');
  await using api = await startMockServer({ memories: [] });
  api.memories.add({ id: 'mem_1', media: { audio: bytes } });
  api.faults.always({ bytesPerSecond: 4_000_000 }, { match: { operation: 'media' } });
  writeFileSync(path, 'old');
  // In the first half: a process whose kill comes late must not have the whole file.
  const places = Array.from({ length: 3 }, () => Math.floor(Math.random() * (size / 2))).sort((a, b) => a - b);
  for (const killAt of places) {
    const save = startSave(api, path, { killAt });
    await save.end;
    expect(save.child.signalCode, `killed at ${places}`).toBe('SIGKILL');
    expect(readFileSync(path, 'utf8')).toBe('old');
  }
  const { resumedFrom, ...saved } = await startSave(api, path).end;
  expect(saved, `killed at ${places}`).toMatchObject({ path, size });
  expect(Number(resumedFrom)).toBeGreaterThanOrEqual((places.at(-1) ?? 0) - 65_536 * 4);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readdirSync(folder)).toEqual(['a.wav']);
}
