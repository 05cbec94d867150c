import { describe, expect, it } from 'vitest';
import type { ServerFault } from '../faults/wire-fault.ts';
import type { MockSpace } from '../mock-server.ts';
import { audioUrlOf, get, getBytes, openConnection, openServer } from '../open-server.test-support.ts';

const KEY = 'mrk_a-key.of+the~test';
const encoded = [...KEY].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');

/** Sends bytes, and returns the entry of the request. */
async function entryOf(server: MockSpace, bytes: string, url = server.baseUrl) {
  const connection = await openConnection(url);
  const next = server.nextRequest();
  connection.send(bytes);
  return next;
}

describe('the log', () => {
  it('has an entry with all facts when the response has been sent', async () => {
    const server = await openServer({ now: '2026-03-01T12:00:00Z' });
    const response = await get(server, '/v1/memories?limit=5', { headers: { 'x-trace': 'one' } });
    const { byteLength } = await response.arrayBuffer();

    expect(server.requests).toEqual([
      {
        seq: 1,
        at: new Date('2026-03-01T12:00:00Z'),
        elapsed: expect.any(Number),
        to: 'api',
        operation: 'listMemories',
        memoryId: null,
        kind: null,
        method: 'GET',
        path: '/v1/memories',
        hasQuery: true,
        headers: expect.objectContaining({ authorization: '[redacted]', 'x-trace': 'one' }),
        bodyBytes: 0,
        connection: 1,
        auth: 'bearer',
        keyIn: ['authorization'],
        fault: null,
        status: 200,
        bytes: byteLength,
        ended: 'sent',
        endedAfter: expect.any(Number),
      },
    ]);
    const [entry] = server.requests;
    expect(entry?.elapsed).toBeGreaterThan(0);
    expect(entry?.endedAfter).toBeGreaterThan(0);
    expect(Object.isFrozen(entry)).toBe(true);
  });

  it.each<[string, string, object]>([
    ['a memory', '/v1/memories/{id}', { to: 'api', operation: 'getMemory', memoryId: 'a b', kind: null }],
    ['a path without an operation', '/v1/%7Bx', { to: 'api', operation: null, path: '/v1/%7Bx', status: 404 }],
    ['a path with dots', '/v1/../memories', { operation: null, path: '/v1/../memories', status: 404, ended: 'sent' }],
    ['an absolute target', 'http://mock/v1/memories?a=b', { path: '/v1/memories', hasQuery: true, status: 200 }],
    ['an empty query', '/v1/memories?', { path: '/v1/memories', hasQuery: true }],
  ])('has %s', async (_, path, expected) => {
    const server = await openServer();
    server.memories.add({ id: 'a b' });

    expect(await entryOf(server, getBytes(server, path.replace('{id}', 'a%20b')))).toMatchObject(expected);
  });

  it.each<[string, object]>([
    ['GET /v1/memories HTTP/1.1\r\n\r\n', { status: 400, ended: 'sent' }],
    ['GET /v1/memories HTTP/1.1\r\nhost: mock\r\nexpect: other\r\n\r\n', { status: 417, ended: 'sent' }],
    ['HEAD /v1/memories HTTP/1.1\r\nhost: mock\r\nx-api-key: {key}\r\n\r\n', { method: 'HEAD', status: 200, bytes: 0 }],
    ['OPTIONS /v1/memories HTTP/1.1\r\nhost: mock\r\n\r\n', { method: 'OPTIONS', status: 405 }],
    ['POST /v1/memories HTTP/1.1\r\nhost: mock\r\ncontent-length: 5\r\n\r\n12345', { status: 405, bodyBytes: 5 }],
    [
      'POST /v1/memories HTTP/1.1\r\nhost: mock\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n',
      { status: 405, bodyBytes: 5 },
    ],
  ])('has %j', async (bytes, expected) => {
    const server = await openServer();

    expect(await entryOf(server, bytes.replace('{key}', server.apiKey))).toMatchObject(expected);
  });

  it('has the media of a memory, and requests to the other origin', async () => {
    const server = await openServer();
    const url = await audioUrlOf(server);
    await (await fetch(url, { headers: { range: 'bytes=0-9' } })).bytes();
    await fetch(`${server.elsewhereUrl}/v1/memories/x`, { headers: { authorization: `Bearer ${server.apiKey}` } });

    expect(server.requests).toMatchObject([
      { operation: 'getMemory' },
      {
        to: 'media',
        operation: 'media',
        kind: 'audio',
        memoryId: server.memories.all()[0]?.id,
        status: 206,
        bytes: 10,
      },
      { to: 'elsewhere', operation: null, memoryId: null, path: '/v1/memories/x', status: 200, bytes: 2 },
    ]);
    expect(server.requests[1]?.hasQuery).toBe(true);
    expect(server.requests[2]?.keyIn).toEqual(['authorization']);
    expect(server.requests[1]?.path).toMatch(/^\/default\/media\/.*audio/);
  });

  it('has requests in the order of their ends', async () => {
    const server = await openServer();
    const slow = await openConnection(server.baseUrl);
    slow.send('POST /slow HTTP/1.1\r\nhost: mock\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\n1');
    await slow.received(/100 Continue/);
    await (await get(server, '/fast')).text();
    slow.send('2');
    await slow.received(/HTTP\/1\.1 404/);

    expect(server.requests.map(({ seq, path }) => [seq, path])).toEqual([
      [1, '/fast'],
      [2, '/slow'],
    ]);
  });

  it('replaces the entry of a stall when its connection closes', async () => {
    const server = await openServer();
    server.faults.next('stall');
    const connection = await openConnection(server.baseUrl);
    connection.send(getBytes(server));
    const stalled = await server.nextRequest();
    await (await get(server)).text();
    connection.socket.destroy();
    while (server.requests[0] === stalled) await new Promise(setImmediate);

    expect(stalled).toMatchObject({ seq: 1, fault: 'stall', status: null, ended: null, endedAfter: null });
    expect(server.requests).toMatchObject([
      { seq: 1, fault: 'stall', status: null, ended: 'aborted', endedAfter: expect.any(Number) },
      { seq: 2, fault: null, ended: 'sent' },
    ]);
  });

  it('says of a client that leaves early that it aborted', async () => {
    const server = await openServer();
    server.faults.next({ delay: 60_000 });
    const { id } = server.memories.add({ duration_seconds: 36_000 });
    const early = await openConnection(server.baseUrl);
    early.send(getBytes(server));
    while (server.faults.all().length > 0) await new Promise(setImmediate);
    let next = server.nextRequest();
    early.socket.destroy();
    expect(await next).toMatchObject({ fault: { delay: 60_000 }, status: null, bytes: 0, ended: 'aborted' });

    const { audio_url } = (await (await get(server, `/v1/memories/${id}`)).json()) as { audio_url: string };
    const { pathname, search } = new URL(audio_url);
    const late = await openConnection(audio_url);
    late.send(getBytes(server, pathname + search));
    const head = await late.received(/\r\n\r\n/);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    next = server.nextRequest({ operation: 'media' });
    late.socket.resetAndDestroy();
    const entry = await next;
    expect(entry).toMatchObject({ status: 200, ended: 'aborted' });
    expect(entry.bytes).toBeLessThan(length);
  });

  it('has the bytes and the key of a body that does not arrive whole', async () => {
    const server = await openServer({ apiKey: KEY });
    const connection = await openConnection(server.baseUrl);
    connection.send(`POST /v1/memories HTTP/1.1\r\nhost: mock\r\ncontent-length: 1000\r\nexpect: 100-continue\r\n\r\n`);
    await connection.received(/100 Continue/);
    const next = server.nextRequest();
    connection.socket.end(`-${KEY}-`);

    expect(await next).toMatchObject({ bodyBytes: KEY.length + 2, keyIn: ['body'], status: null, ended: 'aborted' });
  });

  it.each<[ServerFault, object]>([
    [
      { stop: { bytes: 7 }, by: 'end' },
      { status: 200, bytes: 7 },
    ],
    ['garbage', { status: null, bytes: 0 }],
    [{ steps: ['no HTTP', 'end'] }, { status: null, bytes: 0 }],
  ])('a pipelined request behind %j gets no response, and uses no fault', async (fault, first) => {
    const server = await openServer();
    server.faults.next(fault);
    server.faults.next({ status: 503 });
    const connection = await openConnection(server.baseUrl);
    connection.send(getBytes(server).repeat(2));
    await connection.ended;

    await expect.poll(() => server.requests.length).toBe(2);
    expect(server.requests).toMatchObject([
      { ...first, ended: 'fault' },
      { fault: null, status: null, bytes: 0, ended: 'aborted' },
    ]);
    expect(server.faults.all()).toMatchObject([{ played: 0 }]);
  });

  it('passes the next request to those who wait, of any host or of one operation', async () => {
    const server = await openServer();
    const [any, list, media] = [
      server.nextRequest(),
      server.nextRequest({ operation: 'listMemories' }),
      server.nextRequest({ operation: 'media' }),
    ];
    const url = await audioUrlOf(server);
    await (await fetch(url)).bytes();
    await (await get(server)).text();

    expect([(await any).seq, (await media).seq, (await list).seq]).toEqual([1, 2, 3]);
    expect(() => server.nextRequest({ operation: 'other' as never })).toThrow(
      'operation is "other", which is not supported',
    );
    expect(() => server.nextRequest('media' as never)).toThrow('the options argument is a string');
  });
});

describe('keys and queries', () => {
  const spellings = [
    KEY,
    encoded,
    encoded.toUpperCase().replaceAll('%2E', '%252e'),
    encodeURIComponent(KEY),
    KEY.toUpperCase(),
  ];
  const inBase64 = [btoa(KEY), btoa(`user:${KEY}`), Buffer.from(`x${KEY}:`).toString('base64url')];

  it.each([...spellings, ...inBase64])('no entry shows the key as %s', async (key) => {
    const server = await openServer({ apiKey: KEY });
    const places: [place: string, bytes: string][] = [
      ['query', `GET /v1/memories?key=${key}&a=b HTTP/1.1\r\n`],
      ['path', `GET /v1/memories/${key} HTTP/1.1\r\n`],
      ['path', `GET /other/${key}/more HTTP/1.1\r\n`],
      ['authorization', `GET / HTTP/1.1\r\nauthorization: Bearer ${key}\r\n`],
      ['authorization', `GET / HTTP/1.1\r\nauthorization: Basic x\r\nauthorization: Bearer ${key}\r\n`],
      ['x-api-key', `GET / HTTP/1.1\r\nx-api-key: ${key}\r\n`],
      ['cookie', `GET / HTTP/1.1\r\ncookie: a=${key}\r\n`],
      ['proxy-authorization', `GET / HTTP/1.1\r\nproxy-authorization: ${key}\r\n`],
      ['referer', `GET / HTTP/1.1\r\nreferer: http://a/b?key=${key}\r\n`],
      ['x-other', `GET / HTTP/1.1\r\nx-other: a ${key} b\r\n`],
      ['user-agent', `GET / HTTP/1.1\r\nuser-agent: ${key}\r\n`],
    ];
    for (const [place, bytes] of places) {
      const entry = await entryOf(server, `${bytes}host: mock\r\n\r\n`);
      expect([place, entry.keyIn]).toEqual([place, [place]]);
      expect(JSON.stringify(entry)).not.toContain(key);
      expect(decodeFully(JSON.stringify(entry))).not.toContain(KEY);
    }
    const body = `a=${key}`;
    const entry = await entryOf(
      server,
      `POST / HTTP/1.1\r\nhost: mock\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    expect(entry).toMatchObject({ bodyBytes: body.length, keyIn: ['body'] });
  });

  it('has the key in the credentials of Basic', async () => {
    const server = await openServer({ apiKey: KEY });
    const headers = `authorization: Basic ${btoa(`${KEY}:`)}\r\n`;

    expect(await entryOf(server, `GET / HTTP/1.1\r\nhost: mock\r\n${headers}\r\n`)).toMatchObject({
      keyIn: ['authorization'],
    });
  });

  it('a key is in two places, and one of another account or of a closed one is a key too', async () => {
    const server = await openServer();
    const { apiKey } = server.accounts.add();
    server.accounts.deactivateKey(apiKey);

    const entry = await entryOf(
      server,
      `GET /a?${apiKey} HTTP/1.1\r\nhost: mock\r\nx-api-key: ${server.apiKey}\r\n\r\n`,
    );

    expect(entry).toMatchObject({ auth: 'x-api-key', keyIn: ['x-api-key', 'query'] });
    expect(entry.headers['x-api-key']).toBe('[redacted]');
  });

  it('a key of another space is hidden, but is not a key of this one', async () => {
    const server = await openServer();
    const two = await server.openSpace({ apiKey: KEY });

    const entry = await entryOf(server, `GET /${KEY} HTTP/1.1\r\nhost: mock\r\nx-a: ${KEY}\r\n\r\n`);

    expect(entry).toMatchObject({ path: '/[key]', keyIn: [], headers: { 'x-a': '[key]' } });
    await two.close();
  });

  it.each<[ServerFault, ServerFault]>([
    [
      { respond: { headers: { location: `http://a/b?key=${KEY}` }, body: KEY } },
      { respond: { headers: { location: 'http://a/b' }, body: '[key]' } },
    ],
    [
      { redirect: 307, to: `/a/${encoded}?b=c` },
      { redirect: 307, to: '/a/[key]' },
    ],
    [
      { status: 503, detail: `"${KEY}"` },
      { status: 503, detail: '"[key]"' },
    ],
    [{ steps: [KEY, 'end'] }, { steps: ['[key]', 'end'] }],
    [{ fields: { name: [KEY], duration_seconds: null } }, { fields: { name: ['[key]'], duration_seconds: null } }],
  ])('no entry shows the key or a query of the fault %j', async (fault, shown) => {
    const server = await openServer({ apiKey: KEY });
    server.faults.next(fault);
    const connection = await openConnection(server.baseUrl);
    const next = server.nextRequest();
    connection.send(getBytes(server));

    expect((await next).fault).toEqual(shown);
  });

  it('no entry has a query', async () => {
    const server = await openServer();
    const url = await audioUrlOf(server);
    const { pathname, search } = new URL(url);
    await entryOf(
      server,
      `GET ${pathname}${search} HTTP/1.1\r\nhost: mock\r\nreferer: ${url}\r\nx-url: a,${url}\r\n\r\n`,
      url,
    );
    await entryOf(server, `GET http://mock${pathname}${search} HTTP/1.1\r\nhost: mock\r\n\r\n`);

    expect(JSON.stringify(server.requests)).not.toMatch(/[?]|sig=|expires=/i);
    expect(server.requests.map(({ hasQuery }) => hasQuery)).toEqual([false, true, true]);
  });
});

function decodeFully(text: string): string {
  const next = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return next === text ? text : decodeFully(next);
}
