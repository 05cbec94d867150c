import { type ListedMemory, type Memory, MemoryClient } from '@memory-read/client';
import { saveMedia } from '@memory-read/client/node';

const { MEMORY_JUDGE_OPERATION = '', MEMORY_JUDGE_MEMORY_ID = '', MEMORY_JUDGE_OUTPUT = '' } = process.env;
const timeout = Number(process.env.MEMORY_JUDGE_TIMEOUT_MS);
const storage = { headersTimeout: timeout, stallTimeout: timeout };
const client = new MemoryClient({ timeout }); // MEMORY_API_URL, MEMORY_API_KEY

const shown = ({ id, name, started_at }: ListedMemory | Memory) => ({ id, name, started_at });
const operations: Record<string, () => Promise<object>> = {
  list: async () => ({ memories: (await client.listMemories()).map(shown) }),
  get: async () => ({ memory: shown(await client.getMemory(MEMORY_JUDGE_MEMORY_ID)) }),
  download: () => saveMedia(client, MEMORY_JUDGE_MEMORY_ID, 'audio', MEMORY_JUDGE_OUTPUT, storage),
};

try {
  const run = operations[MEMORY_JUDGE_OPERATION];
  console.log(JSON.stringify(run ? { ok: true, ...(await run()) } : { skip: 'not supported' }));
} catch (error) {
  console.log(JSON.stringify({ ok: false, error: String(error) }));
  process.exitCode = 1;
}
