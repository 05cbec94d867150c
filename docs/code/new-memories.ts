// #region read-new-memories
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { saveMedia } from '@memory-read/client/node';

const folder = process.env.MEMORY_FOLDER ?? 'memories';
const stateFile = join(folder, 'done.json');

async function readNewMemories(): Promise<void> {
  const client = new MemoryClient(); // takes MEMORY_API_URL and MEMORY_API_KEY from the environment
  await mkdir(folder, { recursive: true });
  const state = { userId: '', ids: [] as string[] };
  if (existsSync(stateFile)) Object.assign(state, JSON.parse(await readFile(stateFile, 'utf8')));
  for (const { id, user_id, is_processing } of await client.listMemories()) {
    if (is_processing || state.ids.includes(id)) continue;
    state.userId ||= user_id;
    if (state.userId !== user_id) throw new Error('The API key belongs to another account than before.');
    try {
      const { name, summary, audio_url } = await client.getMemory(id);
      const file = ({ suffix }: { suffix: string }) => join(folder, `${encodeURIComponent(id)}${suffix || '.audio'}`);
      if (audio_url !== null) await saveMedia(client, id, 'audio', file);
      console.log(`${name}: ${summary?.quick_summary ?? 'no summary'}`);
    } catch (error) {
      if (!isMemoryApiError(error)) throw error;
      console.error(`${id}: ${error.message}`);
      process.exitCode = 1; // the next run tries this memory again
      continue;
    }
    state.ids.push(id);
    await writeFile(`${stateFile}.new`, JSON.stringify(state));
    await rename(`${stateFile}.new`, stateFile);
  }
}

try {
  await readNewMemories();
} catch (error) {
  if (!isMemoryApiError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
// #endregion

const { readdir, rm } = await import('node:fs/promises');
console.log(process.exitCode, await readdir(folder));
process.exitCode = undefined;
await readNewMemories();
console.log(process.exitCode, await readdir(folder));
await rm(folder, { recursive: true });
