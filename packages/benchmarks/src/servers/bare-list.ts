/** Bare `node:http` over an SQLite file, for the list: one cursor over the rows, the same signatures. */
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import type { StoredMemory } from '@memory-read/server';
import { listen } from '../loopback/listen.ts';
import { userId } from '../memories/account.ts';
import { toJson } from './backend.ts';

const chunkLength = 16_384;
const database = new DatabaseSync(process.argv[2] ?? '');
const rows = database.prepare('SELECT * FROM memories WHERE user_id = ? ORDER BY started_at DESC, id DESC');

listen(async (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
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
});

function toStoredMemory({ user_id, is_processing, record_json, summary_json }: Record<string, unknown>) {
  const fields = JSON.parse(String(record_json));
  return { ...fields, user_id, is_processing: is_processing === 1, summaryJson: summary_json } as StoredMemory;
}
