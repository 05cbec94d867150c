import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createLiveSource } from '../sources/create-live-source.ts';
import { assistantOf } from '../testing/open-assistant.ts';
import { type RunningMcpServer, type ServeMcpHttpOptions, serveMcpHttp } from './serve-mcp-http.ts';

const mock = createMemoryMock({ memories: [] });
const { baseUrl, apiKey } = mock;
const running: RunningMcpServer[] = [];
let requested: Request | undefined;

beforeEach(() => {
  mock.reset();
  requested = undefined;
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(options: Partial<ServeMcpHttpOptions> = {}): Promise<RunningMcpServer> {
  const fetch = (request: Request) => {
    requested = request;
    return mock.fetch(request);
  };
  const client = new MemoryClient({ baseUrl, apiKey, fetch, retries: 0 });
  const server = await serveMcpHttp({ source: createLiveSource(client), ...options });
  running.push(server);
  return server;
}

async function connect({ url }: RunningMcpServer, revision: '2025-11-25' | '2026-07-28', token?: string) {
  const mode = revision === '2025-11-25' ? ('legacy' as const) : { pin: revision };
  const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** The headers of a call. */
const callHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends one request unchanged, and returns status and headers of the response. */
async function send(
  { url }: RunningMcpServer,
  {
    path = '/mcp',
    method = 'POST',
    headers = {},
    body = '',
  }: { path?: string; method?: string; headers?: object; body?: string | Buffer },
): Promise<IncomingMessage> {
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, path, method, headers: { ...headers } });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return response;
}

test('keeps an idle connection for longer than most proxies do', async () => {
  const { url } = await start();
  expect((await fetch(url)).headers.get('keep-alive')).toBe('timeout=65');
});

test.each(['2025-11-25', '2026-07-28'] as const)('serves a client of revision %s', async (revision) => {
  mock.memories.add({ id: 'mem_1', name: 'Stand-up' });
  const client = await connect(await start(), revision);
  expect((await assistantOf(client).call('fetch', { id: 'mem_1' })).content.title).toBe('Stand-up');
  await client.close();
});

test.each([
  [{ headers: { host: 'evil.example' } }, 403],
  [{ headers: { host: '127.0.0.1.evil.example' } }, 403],
  [{ headers: { host: 'evil.example@127.0.0.1' } }, 403],
  [{ headers: { host: 'evil.example' }, path: '/', method: 'GET' }, 403],
  [{ headers: { origin: 'https://evil.example' } }, 403],
  [{ headers: { origin: 'http://localhost.evil.example' } }, 403],
  [{ headers: { origin: 'null' }, path: '/' }, 403],
  [{ headers: { origin: 'http://localhost:3000' } }, 403],
  [{ headers: { origin: 'http://127.0.0.1' }, method: 'OPTIONS' }, 403],
  [{ headers: { origin: 'http://[::1]:8790' } }, 403],
  [{ path: '/' }, 404],
  [{ path: '/mcp?x=1' }, 404],
  [{ path: '/mcp//' }, 404],
  [{ path: '/mcp/', method: 'GET' }, 405],
  [{ path: '/mcp/' }, 401],
  [{ method: 'OPTIONS' }, 405],
  [{ method: 'GET' }, 405],
  [{ method: 'DELETE', headers: {} }, 405],
  [{}, 401],
  [{ headers: { authorization: 'Bearer token-of-16-characterX' } }, 401],
  [{ headers: { authorization: 'Basic token-of-16-character' }, body: 'x'.repeat(2_000) }, 401],
  [{ headers: { authorization: 'Bearer token-of-16-character' }, body: 'x'.repeat(2_000) }, 413],
  [
    {
      headers: { authorization: 'Bearer token-of-16-character', 'transfer-encoding': 'chunked' },
      body: 'x'.repeat(2_000_000),
    },
    413,
  ],
  [{ headers: { authorization: 'Bearer token-of-16-character', host: 'localhost' }, path: '/mcp/' }, 400],
  [{ headers: { origin: 'http://localhost:8790', host: 'localhost:8791' } }, 403],
  [{ headers: { origin: 'https://localhost:8790', host: 'localhost:8790' } }, 403],
] as const)('responds to %j with %i', async (given, status) => {
  const server = await start({ token: 'token-of-16-character', maxRequestBytes: 1_000 });
  const headers = {
    ...callHeaders,
    ...('headers' in given ? given.headers : {}),
  };
  const response = await send(server, { ...given, headers });
  expect(response.statusCode).toBe(status);
  if (status === 405) expect(response.headers.allow).toBe('POST');
  if (status === 401) expect(response.headers['www-authenticate']).toBe('Bearer');
  expect(response.headers.vary).toBe('Origin');
  expect(response.headers).not.toHaveProperty('access-control-allow-origin');
});

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
});
const pageOrigins = [
  'https://app.example',
  'http://localhost:5173',
  'http://[::1]:5173',
  'chrome-extension://abcdefghijklmnop',
  'tauri://localhost',
];

test.each(pageOrigins)('a preflight from %s is answered without the token', async (origin) => {
  const server = await start({ token: 'token-of-16-character', allowedOrigins: pageOrigins });
  const requested = 'authorization,content-type,mcp-param-region,mcp-protocol-version,x-own';
  const headers = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': requested };
  const response = await send(server, { method: 'OPTIONS', headers });
  expect(response.statusCode).toBe(204);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'DELETE, GET, POST',
    'access-control-allow-headers':
      'Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, mcp-param-region',
    vary: 'Origin',
  });
});

test.each([
  ['a call', {}, 200],
  ['an unknown path', { path: '/' }, 404],
  ['another method', { method: 'GET' }, 405],
  ['no token', { headers: { authorization: '' } }, 401],
  ['a long body', { body: 'x'.repeat(2_000) }, 413],
  ['a long body without a length', { headers: { 'transfer-encoding': 'chunked' }, body: 'x'.repeat(2_000) }, 413],
  ['a body that is not JSON', { body: '{' }, 400],
])('a page of an allowed origin can read the response to %s', async (_, given, status) => {
  const [origin = ''] = pageOrigins;
  const server = await start({ token: 'token-of-16-character', allowedOrigins: [origin], maxRequestBytes: 1_000 });
  const headers = {
    origin,
    authorization: 'Bearer token-of-16-character',
    ...callHeaders,
    ...('headers' in given ? given.headers : {}),
  };
  const response = await send(server, { body: initialize, ...given, headers });
  expect(response.statusCode).toBe(status);
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Protocol-Version, Mcp-Session-Id, WWW-Authenticate',
    vary: 'Origin',
  });
});

test('the origin of the server itself is allowed, for clients that send one without a page', async () => {
  const server = await start();
  const { origin } = new URL(server.url);
  expect((await send(server, { headers: { ...callHeaders, origin }, body: initialize })).statusCode).toBe(200);
});

test.each(['close', 'keep-alive'])('a request with Connection: %s is answered with it', async (connection) => {
  const server = await start();
  const response = await send(server, { headers: { ...callHeaders, connection }, body: initialize });
  expect([response.statusCode, response.headers.connection]).toEqual([200, connection]);
});

test('accepts a client with the token, and allowed names and origins', async () => {
  const token = 'token-of-16-character';
  const server = await start({ token, allowedHosts: ['tools.example'], allowedOrigins: ['https://app.example'] });
  const client = await connect(server, '2026-07-28', token);
  expect((await client.listTools()).tools).toHaveLength(4);
  await client.close();
  const headers = {
    ...callHeaders,
    authorization: `Bearer ${token}`,
    host: 'tools.example:80',
  };
  expect((await send(server, { headers: { ...headers, origin: 'https://app.example' } })).statusCode).toBe(400);
  expect((await send(server, { headers: { ...headers, origin: 'http://app.example' } })).statusCode).toBe(403);
});

test.each([
  ['TOOLS.example:80', 'tools.example:80'],
  ['tools.example', 'tools.example:8443'],
  ['münchen.example', 'xn--mnchen-3ya.example'],
  ['[2001:DB8::1]', '[2001:db8::1]:8790'],
])('the name %s allows the Host %s', async (name, host) => {
  const server = await start({ allowedHosts: [name] });
  expect((await send(server, { headers: { ...callHeaders, host } })).statusCode).toBe(400);
  expect((await send(server, { headers: { ...callHeaders, host: `x.${host}` } })).statusCode).toBe(403);
});

test.each([
  [{ hostname: '0.0.0.0' }, 'token'],
  [{ hostname: '0.0.0.0', token: 'token-of-16-character' }, 'allowedHosts'],
  [{ hostname: '::', allowedHosts: ['tools.example'] }, 'token'],
  [{ token: 'short' }, 'token'],
  [{ token: 'with a space in the token' }, 'token'],
  ...['*', 'null', 'app.example', 'https://app.example/path', 'https://ada@app.example', 'https://*.example'].map(
    (origin): [Partial<ServeMcpHttpOptions>, string] => [{ allowedOrigins: [origin] }, 'allowedOrigins'],
  ),
])('rejects %j before it listens', async (options, option) => {
  await expect(start(options)).rejects.toMatchObject({ code: 'configuration', option });
});

test.each([
  ['a 413', 'Authorization: Bearer token-of-16-character\r\n', 413],
  ['a 401', '', 401],
  ['a 403', 'Origin: https://evil.example\r\n', 403],
])('a body without an end gets %s, and the end of its connection', async (_, header, status) => {
  const { url } = await start({ token: 'token-of-16-character', maxRequestBytes: 1_000 });
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => (received += chunk)).on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(`POST /mcp HTTP/1.1\r\nHost: localhost\r\n${header}Transfer-Encoding: chunked\r\n\r\n`);
  const chunk = `100000\r\n${'x'.repeat(1_048_576)}\r\n`;
  let chunks = 0;
  while (!socket.destroyed && chunks < 200) {
    chunks += 1;
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  expect(chunks).toBeLessThan(200);
  expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

/** Returns the server of each request that has begun from now on. */
function observeRequests(): Server[] {
  const servers: Server[] = [];
  const remember = (message: unknown) => servers.push((message as { server: Server }).server);
  subscribe('http.server.request.start', remember);
  onTestFinished(() => void unsubscribe('http.server.request.start', remember));
  return servers;
}

test('a request has 60 seconds to arrive', async () => {
  const servers = observeRequests();
  await send(await start(), {});
  expect(servers).toMatchObject([{ headersTimeout: 60_000, requestTimeout: 60_000 }]);
});

test.each([
  ['silent connections', ''],
  ['connections with a part of a head', 'POST /mcp HTTP/1.1\r\nHost: loc'],
  ['refused requests without an end', 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'],
])('1,000 %s keep no caller out, and a call in progress stays', async (_, sent) => {
  mock.faults.always('stall');
  const token = 'token-of-16-character';
  const server = await start({ token });
  const caller = await connect(server, '2026-07-28', token);
  const leaving = new AbortController();
  const call = caller.callTool({ name: 'fetch', arguments: { id: 'mem_1' } }, { signal: leaving.signal });
  const ended = call.catch((error) => error);
  await vi.waitFor(() => expect(requested).toBeDefined());
  const sockets = Array.from({ length: 1_000 }, () => connectSocket(Number(new URL(server.url).port), '127.0.0.1'));
  onTestFinished(() => sockets.forEach((socket) => void socket.destroy()));
  for (const socket of sockets) socket.on('error', () => {}).write(sent);
  await Promise.all(sockets.map((socket) => once(socket, sent.includes('9') ? 'data' : 'connect')));
  expect((await send(server, { headers: { connection: 'close' } })).statusCode).toBe(401);
  expect(requested?.signal.aborted).toBe(false);
  leaving.abort();
  expect(await ended).toBeInstanceOf(Error);
  await caller.close();
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === 'IPv6'),
);
if (!hasIPv6) console.log('The test of IPv6 is left out: this machine has no IPv6 address.');

test.runIf(hasIPv6).each(['::1', '[::1]'])('listens on %s without a token', async (hostname) => {
  const server = await start({ hostname });
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+\/mcp$/);
  const client = await connect(server, '2026-07-28');
  expect((await client.listTools()).tools).toHaveLength(4);
  await client.close();
});

test('a port in use, and an address of another machine, are errors that say what to do', async () => {
  const port = Number(new URL((await start()).url).port);
  await expect(start({ port })).rejects.toThrow(
    `Failed to serve the tools: port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or choose another port.`,
  );
  const exposed = { token: 'token-of-16-character', allowedHosts: ['tools.example'] };
  await expect(start({ hostname: '192.0.2.1', ...exposed })).rejects.toThrow(
    'Failed to serve the tools: this machine does not have the address 192.0.2.1. Choose one of its addresses.',
  );
});

test('definitions are public for an hour, and everything else is private', async () => {
  mock.memories.add({ id: 'mem_1' });
  const { url } = await start();
  const hintOf = async (method: string, params: object = {}) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = {
      ...callHeaders,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...('uri' in params && { 'mcp-name': String(params.uri) }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
    const response = await fetch(url, { method: 'POST', headers, body });
    const text = await response.text();
    const { ttlMs, cacheScope } = JSON.parse(/\{.*\}/.exec(text)?.[0] ?? '{}').result ?? { ttlMs: text };
    return [ttlMs, cacheScope];
  };
  for (const method of ['tools/list', 'prompts/list', 'resources/templates/list', 'server/discover'])
    expect(await hintOf(method), method).toEqual([3_600_000, 'public']);
  expect(await hintOf('resources/list')).toEqual([0, 'private']);
  expect(await hintOf('resources/read', { uri: 'memory://mem_1' })).toEqual([0, 'private']);
});

test('a client of revision 2026-07-28 that gives a call up ends its read', async () => {
  mock.faults.always('stall');
  const client = await connect(await start(), '2026-07-28');
  const leaving = new AbortController();
  const call = client.callTool({ name: 'fetch', arguments: { id: 'mem_1' } }, { signal: leaving.signal });
  await vi.waitFor(() => expect(requested).toBeDefined());
  leaving.abort();
  await expect(call).rejects.toThrow();
  await vi.waitFor(() => expect(requested?.signal.aborted).toBe(true));
  await client.close();
});

test('ends open connections in close, and does nothing in a second call', async () => {
  mock.faults.always('stall');
  const server = await start();
  const client = await connect(server, '2026-07-28');
  const call = client.callTool({ name: 'fetch', arguments: { id: 'mem_1' } });
  const failed = expect(call).rejects.toThrow();
  await vi.waitFor(() => expect(requested).toBeDefined());
  const requests = observeRequests();
  const begun = connectSocket(Number(new URL(server.url).port), '127.0.0.1');
  begun.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{');
  await vi.waitFor(() => expect(requests).toHaveLength(1));
  const ended = new Promise((resolve) => begun.on('error', () => {}).on('close', resolve));
  await Promise.all([server.close(), server.close(), ended]);
  await failed;
  await client.close();
});
