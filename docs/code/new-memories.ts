// #region read-new-memories
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isMemoryApiError, isTransient, MemoryClient, responseInfo } from '@memory-read/client';
import { saveMedia } from '@memory-read/client/node';

process.umask(0o077); // only you can read the files
const folder = resolve(process.env.MEMORY_FOLDER || 'memories');
const stateFile = `${folder}.done.json`; // beside the folder, because an id can be any name

async function readNewMemories(): Promise<void> {
  // Takes MEMORY_API_URL and MEMORY_API_KEY from the environment. An invalid memory does not stop the others.
  const client = new MemoryClient({ validation: 'skip' });
  await mkdir(folder, { recursive: true });
  const state = await readState();
  const memories = await client.listMemories();
  for (const { error } of responseInfo(memories)?.skipped ?? []) report(error);
  let failures = 0;
  for (const { id, user_id, is_processing } of memories) {
    state.userId ||= user_id;
    if (state.userId !== user_id) throw unusable('it belongs to another account. Choose another MEMORY_FOLDER');
    if (is_processing || state.ids.includes(id)) continue;
    try {
      const { name, started_at, summary, transcript, audio_url } = await client.getMemory(id);
      const path = join(folder, encodeURIComponent(id));
      await writeFile(`${path}.json`, JSON.stringify({ id, name, started_at, summary, transcript }));
      if (audio_url !== null) await saveMedia(client, id, 'audio', ({ suffix }) => path + (suffix || '.audio'));
      console.log(`${name}: ${summary?.quick_summary ?? 'no summary'}`);
    } catch (error) {
      if (isMemoryApiError(error) && error.code === 'authentication') throw error;
      failures = isTransient(error) ? failures + 1 : 0;
      if (failures === 3) throw error; // an outage: do not try every memory
      report(error); // the next run tries this memory again
      continue;
    }
    failures = 0;
    state.ids.push(id);
    await writeFile(`${stateFile}.new`, JSON.stringify(state));
    await rename(`${stateFile}.new`, stateFile);
  }
}

async function readState(): Promise<{ userId: string; ids: string[] }> {
  if (!existsSync(stateFile)) return { userId: '', ids: [] };
  const text = await readFile(stateFile, 'utf8');
  try {
    const { userId, ids } = JSON.parse(text);
    if (typeof userId === 'string' && Array.isArray(ids)) return { userId, ids };
  } catch {} // not JSON
  throw unusable('it is not a state of this program. Delete it to handle all memories again');
}

class StateError extends Error {}

function unusable(problem: string): StateError {
  return new StateError(`Failed to use ${stateFile}: ${problem}.`);
}

function report(error: unknown): void {
  console.error(isMemoryApiError(error) || error instanceof StateError ? error.message : error);
  process.exitCode = 1;
}

await readNewMemories().catch(report);
// #endregion

const { readdir, rm } = await import('node:fs/promises');
console.log(process.exitCode, await readdir(folder));
process.exitCode = undefined;
await readNewMemories();
console.log(process.exitCode, await readdir(folder));
await rm(folder, { recursive: true });
await rm(stateFile);
