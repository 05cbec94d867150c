// #region backend
import { createServer } from 'node:http';

const { MEMORY_API_URL, MEMORY_API_KEY, PORT = '8788' } = process.env;
if (!MEMORY_API_URL || !MEMORY_API_KEY) {
  throw new Error('Failed to start the backend: MEMORY_API_URL or MEMORY_API_KEY is not set. Export both.');
}
const baseUrl = MEMORY_API_URL.replace(/\/$/, '');
const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };

const backend = createServer(async ({ method, url = '' }, response) => {
  // Add your sign-in here: every request that passes this line can read the account of the key.
  const [, path] = /^\/api(\/v1\/memories(?:\/[\w-]+)?)$/.exec(url) ?? [];
  if (method !== 'GET' || path === undefined) {
    response.writeHead(404, headers).end('{"detail":"Not Found"}');
    return;
  }
  try {
    const authorization = `Bearer ${MEMORY_API_KEY}`;
    const answer = await fetch(`${baseUrl}${path}`, { headers: { authorization }, redirect: 'error' });
    if (!answer.ok) console.error(`The API answered ${answer.status} to ${path}.`);
    const body = await answer.text();
    response.writeHead(answer.status, headers).end(body);
  } catch {
    // The error of an invalid key contains the key.
    console.error(`Failed to forward ${path}: no response. Check MEMORY_API_URL and MEMORY_API_KEY.`);
    response.writeHead(502, headers).end('{"detail":"Bad gateway"}');
  }
});
backend.listen(Number(PORT), '127.0.0.1', () => console.log(`The backend listens on port ${PORT}.`));
// #endregion

const { once } = await import('node:events');
if (!backend.listening) await once(backend, 'listening');
const { port } = backend.address() as { port: number };
for (const path of ['/api/v1/memories/mem_1', '/api/v1/memories/mem_none', '/api/v1/memories/..%2fother']) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  const { name, detail } = await response.json();
  console.log(response.status, name ?? detail);
}
backend.close();
