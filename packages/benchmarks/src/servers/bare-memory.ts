/** Bare `node:http` over an SQLite file, for one memory: the same lookups, hash and signatures, and nothing else. */
import { listen } from '../loopback/listen.ts';
import { readMemory } from './backend.ts';

listen(async ({ headers, url = '' }, response) => {
  const text = await readMemory(headers.authorization ?? '', url);
  if (text === undefined) return response.writeHead(404).end();
  return response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
});
