// #region backend
import { createServer } from 'node:http';

const { MEMORY_API_URL, MEMORY_API_KEY, PORT = '8788' } = process.env;
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
    const answer = await fetch(`${MEMORY_API_URL}${path}`, { headers: { authorization }, redirect: 'error' });
    const body = await answer.text();
    response.writeHead(answer.status, headers).end(body);
  } catch (error) {
    console.error(`Failed to forward ${url}: ${error}. Check MEMORY_API_URL.`);
    response.writeHead(502, headers).end('{"detail":"Bad gateway"}');
  }
});
backend.listen(Number(PORT), '127.0.0.1');
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
