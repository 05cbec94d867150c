// A backend that calls the API itself: the browser gets a finished page.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryClient } from '@memory-read/client';

const client = new MemoryClient({ retries: 0 });
const server = createServer(async (_request, response) => {
  const names = await client.listMemories().then(
    (memories) => memories.map(({ name }) => name.replace(/[<&]/g, '')),
    () => ['Try again later'],
  );
  response.writeHead(200, { 'content-type': 'text/html' });
  response.end(`<!doctype html><ul>${names.map((name) => `<li>${name}</li>`).join('')}</ul>`);
});
server.listen(Number(process.env.PORT), '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
