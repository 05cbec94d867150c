// A client in plain fetch, as the specification alone would make one. It retries nothing.
import { rename, writeFile } from 'node:fs/promises';

const { MEMORY_API_URL, MEMORY_API_KEY, MEMORY_JUDGE_OPERATION } = process.env;
const { MEMORY_JUDGE_MEMORY_ID, MEMORY_JUDGE_KIND, MEMORY_JUDGE_OUTPUT } = process.env;
const timeout = Number(process.env.MEMORY_JUDGE_TIMEOUT_MS);

async function send(url, headers = {}) {
  const signal = AbortSignal.timeout(timeout);
  const response = await fetch(url, { headers, redirect: 'error', signal });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return response;
}

async function read(path) {
  const url = `${MEMORY_API_URL.replace(/\/+$/, '')}/v1/memories${path}`;
  const response = await send(url, { authorization: `Bearer ${MEMORY_API_KEY}` });
  return JSON.parse(await response.text());
}

async function list() {
  const memories = await read('');
  if (!Array.isArray(memories)) throw new Error('the response is not a list');
  return { memories };
}

async function get() {
  const memory = await read(`/${encodeURIComponent(MEMORY_JUDGE_MEMORY_ID)}`);
  if (memory.id !== MEMORY_JUDGE_MEMORY_ID) throw new Error('the response is not the memory');
  return { memory };
}

async function download() {
  const { memory } = await get();
  const url = memory[`${MEMORY_JUDGE_KIND}_url`];
  if (!url) throw new Error('the memory has no such media');
  const response = await send(url);
  await writeFile(`${MEMORY_JUDGE_OUTPUT}.part`, new Uint8Array(await response.arrayBuffer()));
  await rename(`${MEMORY_JUDGE_OUTPUT}.part`, MEMORY_JUDGE_OUTPUT);
  return {};
}

// The URLs of media are secrets.
const withoutUrls = (key, value) => (key.endsWith('_url') ? undefined : value);

try {
  const result = await { list, get, download }[MEMORY_JUDGE_OPERATION]();
  console.log(JSON.stringify({ ok: true, ...result }, withoutUrls));
} catch (error) {
  console.log(JSON.stringify({ ok: false, error: error.message }));
  process.exitCode = 1;
}
