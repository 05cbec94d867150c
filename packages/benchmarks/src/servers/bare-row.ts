/**
 * Serves one row of an SQLite file as bytes with plain `node:http`. Each request reads it again, and hashes and signs
 * like the server.
 */
import { createServer } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { hashApiKey, type StoredMemory } from '@memory-read/server';
import { store, toJson } from './backend.ts';
import { listen } from './listen.ts';

const statement = new DatabaseSync(process.argv[2] ?? '').prepare(`
  SELECT user_id, is_processing, record_json, summary_json, CAST(transcript_json AS BLOB) AS transcript
  FROM memories WHERE id = ? AND user_id = ?`);

listen(
  createServer(async ({ headers, url = '' }, response) => {
    const key = await store.findApiKey(hashApiKey((headers.authorization ?? '').slice('Bearer '.length)));
    const row = key && statement.get(decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)), key.userId);
    if (!row) return response.writeHead(404).end();
    const { record_json, summary_json, transcript, ...fields } = row;
    const memory = { ...JSON.parse(String(record_json)), ...fields, summaryJson: summary_json } as StoredMemory;
    const [start = '', end = ''] = toJson(memory, null).split('"transcript":null');
    const parts = [Buffer.from(`${start}"transcript":`), transcript as Uint8Array, Buffer.from(end)];
    const length = parts.reduce((sum, part) => sum + part.byteLength, 0);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
    response.cork();
    for (const part of parts) response.write(part);
    return response.end();
  }),
);
