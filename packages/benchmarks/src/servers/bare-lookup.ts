/** Bare `node:http` over an SQLite file, for one memory: the same lookups, hash and signatures, and nothing else. */
import { createServer } from 'node:http';
import { readMemory } from './backend.ts';
import { listen } from './listen.ts';

listen(
  createServer(async (request, response) => {
    const text = await readMemory(request.headers.authorization ?? '', request.url ?? '');
    if (text === undefined) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text);
  }),
);
