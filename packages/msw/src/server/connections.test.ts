import { describe, expect, it } from 'vitest';
import type { ServerFault } from './faults/wire-fault.ts';
import type { MockSpace } from './mock-server.ts';
import { audioUrlOf, get, getBytes, openConnection, openServer } from './open-server.test-support.ts';

const summary = ({ requests }: MockSpace) => requests.map(({ seq, path, ended }) => [seq, path, ended]);

describe('a fault of a connection', () => {
  it.each<[string, ServerFault, string, string]>([
    ['resets it', { stop: 'before-head', by: 'reset' }, 'ECONNRESET', ''],
    ['ends it', { stop: 'before-head', by: 'end' }, 'closed', ''],
    ['ends it after bytes', { steps: ['{origin}\r\n', 'end'] }, 'closed', '{origin}\r\n'],
  ])('%s before a byte of it is read, and no request arrives', async (_, fault, ended, text) => {
    const server = await openServer();
    const scheduled = server.faults.next(fault, { match: { operation: 'connection' } });
    const connection = await openConnection(server.baseUrl);
    if (ended === 'closed') connection.socket.end();

    expect(await connection.ended).toBe(ended);
    expect(await connection.received(/^/)).toBe(text.replace('{origin}', server.baseUrl));
    expect([scheduled.played, server.requests.length, (await get(server)).status]).toEqual([1, 0, 200]);
  });

  it('after which the connection stays open lets its requests be answered', async () => {
    const server = await openServer();
    server.faults.next({ steps: ['HTTP/1.1 103 Early Hints\r\n\r\n'] }, { match: { operation: 'connection' } });
    const connection = await openConnection(server.baseUrl);
    connection.send(getBytes(server));

    expect(await connection.received(/\]$/)).toMatch(/^HTTP\/1.1 103 .*HTTP\/1.1 200 OK/s);
  });

  it('which stalls ends with a reset of the space, and does not hold up its close', async () => {
    const server = await openServer();
    server.faults.always({ stop: 'before-head', by: 'stall' }, { match: { operation: 'connection' } });
    const [first, second] = [await openConnection(server.baseUrl), await openConnection(server.elsewhereUrl)];
    while (server.faults.all()[0]?.played === 0) await new Promise(setImmediate);
    server.reset();
    expect(await first.ended).toBe('ECONNRESET');
    expect(second.socket.destroyed).toBe(false);
    server.faults.always({ stop: 'before-head', by: 'stall' }, { match: { operation: 'connection' } });
    const third = await openConnection(server.baseUrl);
    while (server.faults.all()[0]?.played === 0) await new Promise(setImmediate);

    await server.close();

    expect(await third.ended).toBe('ECONNRESET');
  });
});

describe('a connection on which a fault wrote bytes itself', () => {
  it('gets the next responses in order, with a fault or without', async () => {
    const server = await openServer();
    server.faults.next({ steps: ['HTTP/1.1 201 Created\r\ncontent-length: 3\r\n\r\none'] }, { times: 2 });
    server.faults.next({ status: 503 });
    server.faults.next({ bytesPerSecond: 1_000_000 });
    const connection = await openConnection(server.baseUrl);
    connection.send(Array.from({ length: 5 }, () => getBytes(server)).join(''));

    const all = await connection.received(/503.*200 OK.*200 OK.*\]$/s);

    expect(all.match(/^HTTP\/1.1 \d+|oneHTTP\/1.1 \d+|\}HTTP\/1.1 \d+|\]HTTP\/1.1 \d+/gm)).toEqual([
      'HTTP/1.1 201',
      'oneHTTP/1.1 201',
      'oneHTTP/1.1 503',
      '}HTTP/1.1 200',
      ']HTTP/1.1 200',
    ]);
    expect(server.requests.map(({ status, bytes, connection: number }) => [status, bytes > 0, number])).toEqual(
      [201, 201, 503, 200, 200].map((status) => [status, true, 1]),
    );
    await (await get(server)).text();
    expect(server.requests.at(-1)?.connection).toBe(2);
  });

  it('does not count the responses that were written past Node as unanswered requests', async () => {
    const server = await openServer();
    server.faults.always({ steps: ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n[]'] });
    const connection = await openConnection(server.baseUrl);
    for (let sent = 1; sent <= 40; sent += 1) {
      connection.send(getBytes(server));
      await connection.received(new RegExp(`^(?:[^[]*\\[\\]){${sent}}$`));
    }
    server.faults.clear();
    connection.send(getBytes(server, '/end'));

    await connection.received(/HTTP\/1\.1 404/);
    expect(server.requests).toHaveLength(41);
  });
});

describe('reset', () => {
  it('restores memories, keys, clock, faults, media URLs and log', async () => {
    const server = await openServer({ now: '2026-03-01T12:00:00Z' });
    const before = server.memories.all();
    const url = await audioUrlOf(server);
    server.accounts.deactivateKey(server.apiKey);
    server.clock.advance(1_000);
    server.faults.always({ status: 503 });
    server.expireMediaUrls();
    expect([(await get(server)).status, (await fetch(url)).status]).toEqual([503, 403]);

    server.reset();

    expect(server.requests).toEqual([]);
    expect(server.memories.all()).toEqual(before);
    const response = await get(server);
    expect([response.status, response.headers.get('date')]).toEqual([200, 'Sun, 01 Mar 2026 12:00:00 GMT']);
    expect(server.faults.all()).toEqual([]);
    expect(summary(server)).toEqual([[1, '/v1/memories', 'sent']]);
  });

  it.each<[string, ServerFault]>([
    ['waits for its fault', { delay: 60_000 }],
    ['stalls', 'stall'],
  ])('a request that %s loses its connection, and has no entry in the new log', async (_, fault) => {
    const server = await openServer();
    server.faults.next(fault);
    const connection = await openConnection(server.baseUrl);
    connection.send(getBytes(server));
    await arrived(server);
    const waiting = server.nextRequest();

    server.reset();

    expect(await connection.ended).toBe('ECONNRESET');
    await expect(waiting).rejects.toThrow('Failed to wait for a request: the mock was reset');
    await (await get(server)).text();
    expect(summary(server)).toEqual([[1, '/v1/memories', 'sent']]);
  });

  it('a download, a request whose body is still to come and a waiting one lose their connections', async () => {
    const server = await openServer();
    const { id } = server.memories.add({ duration_seconds: 36_000 });
    const { audio_url } = (await (await get(server, `/v1/memories/${id}`)).json()) as { audio_url: string };
    const { pathname, search } = new URL(audio_url);
    const media = await openConnection(audio_url);
    media.send(getBytes(server, pathname + search));
    await media.received(/^HTTP\/1.1 200/);
    media.socket.pause();
    const upload = await openConnection(server.baseUrl);
    upload.send('POST /v1/memories HTTP/1.1\r\nhost: mock\r\ncontent-length: 10\r\nexpect: 100-continue\r\n\r\n12');
    await upload.received(/100 Continue/);

    server.reset();

    media.socket.resume();
    expect(await Promise.all([media.ended, upload.ended])).toEqual(['ECONNRESET', 'ECONNRESET']);
    await (await get(server)).text();
    expect(summary(server)).toEqual([[1, '/v1/memories', 'sent']]);
  });

  it('idle connections stay, and those of other spaces', async () => {
    const server = await openServer();
    const two = await server.openSpace();
    two.faults.next('stall');
    const idle = await openConnection(server.baseUrl);
    const half = await openConnection(server.baseUrl);
    const other = await openConnection(two.baseUrl);
    idle.send(getBytes(server));
    await idle.received(/\r\n\r\n\[.*\]/s);
    half.send('GET /v1/memories HTTP/1.1\r\nhost: mock\r\n');
    other.send(getBytes(two));
    await two.nextRequest();
    const before = server.requests[0]?.connection;

    server.reset();
    idle.send(getBytes(server, '/idle'));
    await idle.received(/HTTP\/1\.1 404/);
    half.send('\r\n');
    await half.received(/HTTP\/1\.1 401/);

    expect(summary(server)).toEqual([
      [1, '/idle', 'sent'],
      [2, '/v1/memories', 'sent'],
    ]);
    expect(server.requests[0]?.connection).toBe(before);
    expect(two.requests).toMatchObject([{ fault: 'stall', ended: null }]);
    expect(other.socket.destroyed).toBe(false);
  });
});

/** Resolves when the fault of a request was taken. */
async function arrived({ faults }: MockSpace): Promise<void> {
  while (faults.all().length > 0) await new Promise(setImmediate);
}
