// #region backend
import { createServer } from 'node:http';

const { MEMORY_API_URL, MEMORY_API_KEY, PORT = '8788' } = process.env;
if (!MEMORY_API_URL || !MEMORY_API_KEY) {
  throw new Error('Failed to start the backend: MEMORY_API_URL or MEMORY_API_KEY is not set. Export both.');
}
const baseUrl = MEMORY_API_URL.replace(/\/$/, '');
const headers = { 'content-type': 'application/json', 'cache-control': 'private, no-store' };

const backend = createServer(async ({ method, url = '', headers: { host = '' } }, response) => {
  // Another site can resolve its name to this machine, so that its pages reach this port. `Host` then has that name.
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host)) {
    response.writeHead(403, headers).end('{"detail":"Forbidden"}');
    return;
  }
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

const [{ once }, { get }, { json }] = await Promise.all([
  import('node:events'),
  import('node:http'),
  import('node:stream/consumers'),
]);
if (!backend.listening) await once(backend, 'listening');
const { port } = backend.address() as { port: number };
for (const [path, host = 'localhost'] of [
  ['/api/v1/memories/mem_1'],
  ['/api/v1/memories/mem_none'],
  ['/api/v1/memories/..%2fother'],
  ['/api/v1/memories/mem_1', 'localhost.evil.example'],
]) {
  // fetch sends no other Host than that of the URL.
  const [response] = await once(get({ host: '127.0.0.1', port, path, headers: { host }, agent: false }), 'response');
  const { name, detail } = (await json(response)) as { name?: string; detail?: string };
  console.log(response.statusCode, name ?? detail);
}
backend.close();
