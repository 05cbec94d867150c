import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryClient } from '@memory-read/client';

const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: process.env.MEMORY_API_KEY });
const folder = await mkdtemp(join(tmpdir(), 'memory-read-'));
const stateFile = join(folder, 'done.json');

// #region read-new-memories
async function readNewMemories(): Promise<number> {
  const state = { userId: '', ids: [] as string[] };
  if (existsSync(stateFile)) Object.assign(state, JSON.parse(await readFile(stateFile, 'utf8')));
  const done = new Set(state.ids);
  const memories = await client.listMemories();
  const added = memories.filter(({ id, is_processing }) => !is_processing && !done.has(id));
  for (const { id, user_id } of added) {
    state.userId ||= user_id;
    if (state.userId !== user_id) throw new Error('The API key belongs to another account than before.');
    const { name, summary } = await client.getMemory(id);
    console.log(`${name}: ${summary?.quick_summary ?? 'no summary'}`);
    state.ids.push(id);
    await writeFile(`${stateFile}.new`, JSON.stringify(state));
    await rename(`${stateFile}.new`, stateFile);
  }
  return added.length;
}
// #endregion

console.log(await readNewMemories());
console.log(await readNewMemories());
await rm(folder, { recursive: true });
