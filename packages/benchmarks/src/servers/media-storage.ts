/** Bare `node:http` that has one object of so many megabytes, and one memory that points at it. */

import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { listen } from '../loopback/listen.ts';

const [, , memoryFile = '', megabytes = '1'] = process.argv;
const memory = JSON.parse(readFileSync(memoryFile, 'utf8'));
const chunk = Buffer.alloc(65_536, 'memory');
const size = Number(megabytes) * 1_048_576;

listen(({ url = '', headers }, response) => {
  if (url === '/object') return void sendObject(response);
  const body = JSON.stringify({ ...memory, audio_url: `http://${headers.host}/object` });
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
});

async function sendObject(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': size, etag: '"object"' });
  // A client may cancel the download.
  await pipeline(chunks, response).catch(() => {});
}

function* chunks(): Generator<Buffer, void, void> {
  for (let made = 0; made < size; made += chunk.byteLength) yield chunk;
}
