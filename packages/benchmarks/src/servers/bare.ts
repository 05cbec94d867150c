/** Bare `node:http` over an SQLite file: the same lookups, hash and signatures, and nothing else. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import type { StoredMemory } from '@memory-read/server';
import { listen } from '../loopback/listen.ts';
import { userId } from '../memories/account.ts';
import { readMemory, toJson } from './backend.ts';

const chunkLength = 16_384;
const database = new DatabaseSync(process.argv[2] ?? '');
const rows = database.prepare('SELECT * FROM memories WHERE user_id = ? ORDER BY started_at DESC, id DESC');
const headersOfJson = { 'content-type': 'application/json' };

listen(async ({ headers, url = '' }, response) => {
  if (url === '/v1/memories') return void (await sendList(response));
  const text = await readMemory(headers.authorization ?? '', url);
  if (text === undefined) return response.writeHead(404).end();
  return response.writeHead(200, { ...headersOfJson, 'content-length': Buffer.byteLength(text) }).end(text);
});

/** Sends one cursor over the rows. */
async function sendList(response: ServerResponse): Promise<void> {
  response.writeHead(200, headersOfJson);
  let text = '[';
  let separator = '';
  for (const row of rows.iterate(userId)) {
    text += separator + toJson(toStoredMemory(row), null);
    separator = ',';
    if (text.length < chunkLength) continue;
    if (!response.write(text)) await once(response, 'drain');
    text = '';
  }
  response.end(`${text}]`);
}

function toStoredMemory({ user_id, is_processing, record_json, summary_json }: Record<string, unknown>) {
  const fields = JSON.parse(String(record_json));
  return { ...fields, user_id, is_processing: is_processing === 1, summaryJson: summary_json } as StoredMemory;
}
