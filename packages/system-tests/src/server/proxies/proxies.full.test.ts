import { connect } from 'node:net';
import { MemoryClient } from '@memory-read/client';
import { serve } from '@memory-read/server/node';
import { isInstalled } from '@memory-read/test-kit/is-installed';
import { expect, onTestFinished, test } from 'vitest';
import { mediaBytes, serveBehindProxy } from './serve-behind-proxy.ts';
import { haproxy, nginx, type ProxyKind, stockNginx } from './start-proxy.ts';

const installed = (kinds: readonly ProxyKind[]) => kinds.filter(({ program }) => isInstalled(program));
const fronts = installed([nginx, haproxy]);
const all = [...fronts, ...installed([stockNginx])];

const memoryPath = '/v1/memories/mem_1';
const withKey = (key: string) => `X-API-Key: ${key}\r\n`;
const get = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n${headers}\r\n`;

/** Sends bytes unchanged. A reset is the end, like a close. */
function exchange(port: number, bytes: string, localAddress = '127.0.0.1'): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(bytes));
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
}

/** Returns whether a response says by its chunks or its length that all of it has arrived. */
function isComplete(answer: string): boolean {
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return body.endsWith('0\r\n\r\n');
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  // Without both, the end of the connection would say so.
  return length === undefined ? head !== '' : body.length >= Number(length);
}

test('the file for nginx keeps an unused connection for a shorter time than the server', async () => {
  const [, seconds] = /^ {4}keepalive_timeout (\d+)s;$/m.exec(nginx.configure(80, 8787, '')) ?? expect.unreachable();
  const server = await serve({ fetch: () => new Response(), port: 0 });
  onTestFinished(() => server.close());
  const [, announced] = /timeout=(\d+)/.exec((await fetch(server.url)).headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeLessThan(Number(announced));
});

for (const kind of all) {
  test.each([
    ['the list', '/v1/memories'],
    ['one memory', memoryPath],
    ['the media', '/media/'],
  ])(`${kind.name}: no client takes %s for complete if it breaks half-way`, async (_, broken) => {
    const { proxy, key, events, mediaUrl } = await serveBehindProxy(kind, (path) => path.startsWith(broken));
    const isMedia = broken === '/media/';
    const target = isMedia ? mediaUrl.slice(proxy.url.length) : broken;
    const answer = await exchange(proxy.port, get(target, withKey(key)));
    const isFault = /^HTTP\/1\.1 502 /.test(answer);
    expect(isFault || !isComplete(answer), answer.slice(0, 400)).toBe(true);
    const client = new MemoryClient({ apiKey: key, baseUrl: proxy.url, retries: 0 });
    const read = async () => {
      if (!isMedia) return broken === memoryPath ? client.getMemory('mem_1') : client.listMemories();
      const response = await fetch(mediaUrl);
      await response.bytes();
      throw Object.assign(new Error('a fault of the proxy'), { status: response.status });
    };
    const error = await read().then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    // A proxy that has not passed on anything yet says 502. A fetch without the client has a TypeError.
    const ends = isMedia ? [502, 'TypeError'] : ['cut', 'cut_json', 502];
    expect(ends).toContain(error.reason ?? error.status ?? error.name);
    expect(error.message).not.toContain('base URL');
    expect(events.filter(({ outcome }) => outcome === 'failed').length).toBeGreaterThan(1);
  });

  test(`${kind.name}: passes whole lists, and media URLs byte for byte, with ranges`, async () => {
    const { proxy, key, mediaUrl, events } = await serveBehindProxy(kind);
    const client = new MemoryClient({ apiKey: key, baseUrl: proxy.url, retries: 0 });
    expect(await client.listMemories()).toHaveLength(500);
    const whole = await fetch(mediaUrl);
    expect([whole.status, Buffer.compare(await whole.bytes(), mediaBytes)]).toEqual([200, 0]);
    const part = await fetch(mediaUrl, { headers: { range: 'bytes=1000-1999' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/300000']);
    expect(Buffer.compare(await part.bytes(), mediaBytes.subarray(1000, 2000))).toBe(0);
    expect(events.every(({ outcome }) => outcome === 'finished')).toBe(true);
  });

  test(`${kind.name}: a raw dot segment is a 404 with and without a key`, async () => {
    const { proxy, key } = await serveBehindProxy(kind);
    const targets = ['/v1/memories/../../x', '/v1/memories/../memories', '/v1/x/%2e%2E/memories', '/v1/./memories'];
    for (const target of [...targets, `http://api.example.com/v1/x/../memories`]) {
      for (const headers of ['', withKey(key)]) {
        const answer = await exchange(proxy.port, get(target, headers));
        expect(answer, target).toMatch(/^HTTP\/1\.1 404 .*\{"detail":"Not Found"\}/s);
      }
    }
  });
}

for (const kind of fronts) {
  test(`${kind.name}: no spelling of a path passes the rule that hides /readyz`, async () => {
    const { proxy } = await serveBehindProxy(kind);
    for (const target of [
      '/readyz',
      '/x/../readyz',
      '/x/%2e%2e/readyz',
      '/./readyz',
      'http://api.example.com/x/../readyz',
    ]) {
      expect(await exchange(proxy.port, get(target)), target).toMatch(/^HTTP\/1\.1 404 /);
    }
  });

  test(`${kind.name}: the server sees the address of the caller, and no address that the caller writes`, async () => {
    const { proxy, key, events } = await serveBehindProxy(kind);
    const forged =
      'X-Forwarded-For: 203.0.113.1, 127.0.0.1\r\nx-forwarded-for: 127.0.0.1\r\nForwarded: for=203.0.113.1\r\n';
    const callers = ['127.0.0.9', '127.0.0.10'];
    for (const caller of callers) {
      for (const headers of ['', forged, `X-Forwarded-For: ${'127.0.0.1, '.repeat(300)}127.0.0.1\r\n`]) {
        expect(await exchange(proxy.port, get(memoryPath, withKey(key) + headers), caller)).toMatch(/^HTTP\/1\.1 200 /);
      }
    }
    const read = events.filter(({ path }) => path === memoryPath);
    expect(read.map(({ clientAddress }) => clientAddress)).toEqual(
      callers.flatMap((caller) => [caller, caller, caller]),
    );
  });

  test(`${kind.name}: its rate limit is a 429 that the client understands`, async () => {
    const { proxy, key } = await serveBehindProxy(kind);
    const client = new MemoryClient({ apiKey: key, baseUrl: proxy.url, retries: 0 });
    const line = 'GET /v1/nowhere HTTP/1.1\r\nHost: api.example.com\r\n\r\n';
    const burst = () =>
      Promise.all(Array.from({ length: 60 }, () => exchange(proxy.port, line.repeat(9) + get('/v1/nowhere'))));
    let error: unknown;
    // A busy machine may need several bursts to send more than the limit allows.
    for (let bursts = 0; bursts < 10 && !(error instanceof Error); bursts += 1) {
      await burst();
      error = await client.getMemory('mem_1').catch((reason) => reason);
    }
    expect(error).toMatchObject({ code: 'rate_limited', status: 429, retryAfterMs: 2_000 });
  });

  test(`${kind.name}: its log names the server's answer and request, and holds no signature, however a client wrote it`, async () => {
    const { proxy, key, mediaUrl, events, logged } = await serveBehindProxy(kind);
    const { pathname, search } = new URL(mediaUrl);
    const query = search.slice(1);
    const signature = new URLSearchParams(search).get('signature') ?? expect.unreachable('the URL has no signature');
    const plain = '/media/ada/plain.wav';
    const separators = ['?', '%3F', '%3f', '%253F', '&', ';', '%26', '%23', '%3B'];
    for (const path of [pathname, plain]) {
      for (const separator of separators) await exchange(proxy.port, get(`${path}${separator}${query}`));
    }
    await exchange(proxy.port, get(`${plain}%3F${encodeURIComponent(query)}`));
    await exchange(proxy.port, get(memoryPath, withKey(key)));
    const { requestId } = events.at(-1) ?? expect.unreachable('the server saw no request');
    await expect.poll(logged).toContain(requestId);
    const lines = logged().trimEnd().split('\n');
    expect(lines.at(-1)).toMatch(/ GET \/v1\/memories\/mem_1 200 /);
    expect(lines.filter((line) => line.includes(` GET ${plain} 403 `))).toHaveLength(separators.length + 1);
    expect(logged()).not.toContain(signature);
    expect(logged()).not.toMatch(/expires|signature/i);
  });
}
