import { writeFile } from 'node:fs/promises';
import createClient from 'openapi-fetch';
import type { paths } from './memory-read-api.d.ts';

const { MEMORY_API_URL = '', MEMORY_API_KEY = '', MEMORY_JUDGE_OPERATION, MEMORY_JUDGE_MEMORY_ID = '' } = process.env;
const { MEMORY_JUDGE_OUTPUT = '', MEMORY_JUDGE_TIMEOUT_MS } = process.env;

const client = createClient<paths>({
  baseUrl: MEMORY_API_URL,
  headers: { authorization: `Bearer ${MEMORY_API_KEY}` },
  fetch: (request) => fetch(request, { signal: AbortSignal.timeout(Number(MEMORY_JUDGE_TIMEOUT_MS)) }),
});

async function getMemory() {
  const params = { path: { memory_id: MEMORY_JUDGE_MEMORY_ID } };
  const { data, response } = await client.GET('/v1/memories/{memory_id}', { params });
  if (!data) throw new Error(`the server answered ${response.status}`);
  return data;
}

async function run() {
  if (MEMORY_JUDGE_OPERATION === 'list') {
    const { data, response } = await client.GET('/v1/memories');
    if (!data) throw new Error(`the server answered ${response.status}`);
    return { memories: data };
  }
  const memory = await getMemory();
  if (MEMORY_JUDGE_OPERATION === 'get') return { memory };
  const response = await fetch(memory.audio_url ?? '', {
    signal: AbortSignal.timeout(Number(MEMORY_JUDGE_TIMEOUT_MS)),
  });
  if (!response.ok) throw new Error(`the storage answered ${response.status}`);
  await writeFile(MEMORY_JUDGE_OUTPUT, new Uint8Array(await response.arrayBuffer()));
  return {};
}

// The URLs of media are secrets.
const withoutUrls = (key: string, value: unknown) => (key.endsWith('_url') ? undefined : value);

try {
  console.log(JSON.stringify({ ok: true, ...(await run()) }, withoutUrls));
} catch (error) {
  console.log(JSON.stringify({ ok: false, error: String(error) }));
  process.exitCode = 1;
}
