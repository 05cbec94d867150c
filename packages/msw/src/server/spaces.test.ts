import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { MockServerOptions, MockSpace, MockSpaceOptions } from './mock-server.ts';
import { audioUrlOf, get, openConnection, openServer } from './open-server.test-support.ts';
import { startMockServer } from './start-mock-server.ts';

const portOf = (url: string) => Number(new URL(url).port);
const statusOf = async (response: Promise<Response>) => (await response).status;

describe('spaces are apart', () => {
  it.each(['authorization', 'x-api-key'])('a key of another space in %s is a 401', async (name) => {
    const server = await openServer({ seed: 7 });
    const two = await server.openSpace({ seed: 7 });
    const key = (space: MockSpace) => (name === 'authorization' ? `Bearer ${space.apiKey}` : space.apiKey);
    const read = (space: MockSpace, from: MockSpace) =>
      statusOf(fetch(`${space.baseUrl}/v1/memories`, { headers: { [name]: key(from) } }));

    expect(await Promise.all([read(server, server), read(two, two)])).toEqual([200, 200]);
    expect(await Promise.all([read(server, two), read(two, server)])).toEqual([401, 401]);
  });

  it('a space that opens on the port and with the id of a closed one accepts neither its key nor its URLs', async () => {
    const server = await openServer();
    const port = await freePort();
    const first = await server.openSpace({ id: 'two', port, seed: 1 });
    const url = await audioUrlOf(first);
    expect(await statusOf(fetch(url))).toBe(200);
    await first.close();
    expect(await statusOf(fetch(url))).toBe(404);

    const second = await server.openSpace({ id: 'two', port, seed: 1 });
    second.memories.add();

    expect(second.baseUrl).toBe(first.baseUrl);
    expect(await statusOf(get({ ...second, apiKey: first.apiKey }))).toBe(401);
    expect(await statusOf(fetch(url))).toBe(403);
  });

  it('a media URL with the id of another space is refused', async () => {
    const server = await openServer();
    const two = await server.openSpace({ id: 'two' });
    const url = await audioUrlOf(server);
    two.memories.add();

    expect(new URL(url).pathname).toMatch(/^\/default\/media\//);
    expect(await statusOf(fetch(url.replace('/default/', '/two/')))).toBe(403);
    expect(await statusOf(fetch(url.replace('/default/', '/three/')))).toBe(404);
    expect(
      new Set(
        [server.baseUrl, two.baseUrl, server.mediaUrl, server.elsewhereUrl, two.elsewhereUrl].map(
          (each) => new URL(each).origin,
        ),
      ).size,
    ).toBe(5);
  });

  it('memories depend on the seed alone, and keys do not', async () => {
    const server = await openServer({ seed: 3 });
    const [same, other] = await Promise.all([server.openSpace({ seed: 3 }), server.openSpace({ seed: 4 })]);

    expect(same.memories.all()).toEqual(server.memories.all());
    expect(other.memories.all()).not.toEqual(server.memories.all());
    const added = [server, same].map((space) => space.accounts.add().apiKey);
    expect(new Set([server.apiKey, same.apiKey, other.apiKey, ...added]).size).toBe(5);
  });

  it('state, clock, faults and log of one space are not those of another', async () => {
    const server = await openServer({ now: '2026-03-01T12:00:00Z', memories: [] });
    const two = await server.openSpace({ now: '2026-03-01T12:00:00Z', memories: [], apiKey: 'a-key-of-the-test' });
    two.memories.add();
    two.clock.advance(60_000);
    two.faults.always({ status: 503 });

    const first = await get(server);
    const second = await get(two);

    expect([first.status, first.headers.get('date')]).toEqual([200, 'Sun, 01 Mar 2026 12:00:00 GMT']);
    expect([second.status, second.headers.get('date')]).toEqual([503, 'Sun, 01 Mar 2026 12:01:00 GMT']);
    expect(await first.json()).toEqual([]);
    expect([server.requests.length, two.requests.length]).toEqual([1, 1]);
    expect(two.apiKey).toBe('a-key-of-the-test');
  });

  it('a space without authentication accepts requests without a key', async () => {
    const server = await openServer({ auth: 'none' });

    expect(await statusOf(fetch(`${server.baseUrl}/v1/memories`))).toBe(200);
  });
});

describe('ids', () => {
  it('an id that is open is refused, also while it opens, and is free after close', async () => {
    const server = await openServer();
    const taken = 'Failed to open a space: the space "two" is already open. Close it, or choose another id.';
    const opening = server.openSpace({ id: 'two' });
    await expect(server.openSpace({ id: 'two' })).rejects.toThrow(new RangeError(taken));
    const two = await opening;
    await expect(server.openSpace({ id: 'two' })).rejects.toThrow(new RangeError(taken));
    await expect(server.openSpace({ id: 'default' })).rejects.toThrow(taken.replace('two', 'default'));
    await two.close();

    expect((await server.openSpace({ id: 'two' })).id).toBe('two');
  });

  it('spaces without an id are counted, and the ids of closed ones do not come back', async () => {
    const server = await openServer();
    await server.openSpace({ id: 'space-2' });
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      await using space = await server.openSpace();
      ids.push(space.id);
    }

    expect(ids).toEqual(['space-1', 'space-3', 'space-4']);
    expect(server.spaces().map(({ id }) => id)).toEqual(['default', 'space-2']);
  });

  it.each(['', 'A', 'a_b', '-a', 'a/b', 'é', 'a'.repeat(64), 5])('refuses the id %j', async (id) => {
    const server = await openServer();

    await expect(server.openSpace({ id: id as string })).rejects.toThrow('which is not a valid id');
    expect(server.spaces()).toHaveLength(1);
  });
});

describe('options', () => {
  it.each<[object, string]>([
    [{ baseUrl: 'http://127.0.0.1' }, 'the option "baseUrl" is not supported'],
    [{ id: 'one' }, 'the option "id" is not supported'],
    [{ auth: 'basic' }, 'auth is "basic"'],
    [{ port: 65_536 }, 'port is 65536, which is not a port'],
    [{ mediaPort: '80' }, 'mediaPort is "80", which is not a port'],
    [{ spacePorts: [2, 1] }, 'spacePorts is [2,1], which is not a range of ports'],
    [{ spacePorts: [0, 1] }, 'spacePorts is [0,1], which is not a range of ports'],
    [{ spacePorts: 5 }, 'spacePorts is 5, which is not a range of ports'],
    [{ publicHost: 'a/b' }, 'the host "a/b" cannot be in a URL'],
    [{ publicHost: 'user@host' }, 'the host "user@host" cannot be in a URL'],
    [{ basePath: '/api/' }, 'it is not a plain path'],
    [{ basePath: '/../x' }, 'it is not a plain path'],
    [{ tls: {} }, 'tls has no certificate with its key'],
    [{ tls: { cert: 'a secret', key: 'another one' } }, 'tls has no certificate with its key'],
    [{ control: true }, 'control is true, which is not an object'],
    [{ control: { prot: 1 } }, 'the option "prot" is not supported. Use one of: port, hostname.'],
    [{ control: { port: -1 } }, 'control.port is -1, which is not a port'],
    [{ control: { hostname: 'a/b' } }, 'the host "a/b" cannot be in a URL'],
    [{ apiKey: '' }, 'apiKey is empty or contains an invalid character'],
  ])('refuses %j', async (options, problem) => {
    await expect(startMockServer(options as MockServerOptions)).rejects.toThrow(problem);
  });

  it('a path before /v1 is in the URLs, and everything outside of it is the 404 of the API', async () => {
    const server = await openServer({ basePath: '/api/memories' });
    const { origin } = new URL(server.baseUrl);

    expect(server.baseUrl).toBe(`${origin}/api/memories`);
    expect(await statusOf(get(server))).toBe(200);
    for (const path of [
      '/',
      '/v1/memories',
      '/api/v1/memories',
      '/api/memories/',
      '/api/memories/v2',
      '/spaces',
      '/healthz',
    ]) {
      const response = await get({ ...server, baseUrl: origin }, path);
      expect([path, response.status, await response.json()]).toEqual([path, 404, { detail: 'Not Found' }]);
    }
    server.faults.always({ status: 503 });
    expect(await statusOf(get({ ...server, baseUrl: origin }))).toBe(404);
    expect(await statusOf(get(server))).toBe(503);
  });

  it.each<[MockServerOptions, string]>([
    [{}, '127.0.0.1'],
    [{ hostname: '0.0.0.0' }, '127.0.0.1'],
    [{ hostname: '0.0.0.0', publicHost: 'mock' }, 'mock'],
    [{ hostname: '::1' }, '[::1]'],
    [{ hostname: 'localhost' }, 'localhost'],
  ])('with %j, the host in all URLs is %s', async (options, host) => {
    const server = await openServer(options);
    const two = await server.openSpace();

    for (const url of [server.baseUrl, server.mediaUrl, server.elsewhereUrl, two.baseUrl, two.mediaUrl]) {
      expect(new URL(url).host).toBe(`${host}:${portOf(url)}`);
    }
  });

  it('a space with a certificate is served over https, and its faults reach the connection', async () => {
    const file = (name: string) =>
      readFileSync(new URL(`../../../test-kit/src/postgres/certificates/${name}`, import.meta.url), 'utf8');
    const server = await openServer({ tls: { cert: file('server.pem'), key: file('server.key') } });
    const read = (space: MockSpace) =>
      new Promise<number | string | undefined>((resolve) => {
        const headers = { 'x-api-key': space.apiKey };
        request(
          `${space.baseUrl}/v1/memories`,
          { ca: file('authority.pem'), servername: 'localhost', headers, agent: false },
          (response) => {
            response.resume().on('end', () => resolve(response.statusCode));
          },
        )
          .on('error', ({ code }: NodeJS.ErrnoException) => resolve(code))
          .end();
      });
    server.faults.next('network-error');

    expect(new URL(server.baseUrl).protocol).toBe('https:');
    expect(await read(server)).toBe('ECONNRESET');
    expect(await read(server)).toBe(200);
    server.faults.next('stall');
    const stalled = read(server);
    await server.nextRequest();
    server.reset();
    expect(await stalled).toBe('ECONNRESET');
    const silent = await openConnection(server.baseUrl);
    await server.close();
    expect(await silent.ended).toBe('closed');
  });
});

describe('ports', () => {
  it.each<(taken: number, other: number) => MockServerOptions>([
    (port, mediaPort) => ({ port, mediaPort }),
    (mediaPort, port) => ({ port, mediaPort }),
    (controlPort, port) => ({ port, control: { port: controlPort } }),
  ])('a port in use is named, and nothing stays open: %s', async (optionsOf) => {
    const taken = await freePort();
    await using _ = await occupied(taken);
    const other = await freePort();

    const failure = startMockServer(optionsOf(taken, other));

    await expect(failure).rejects.toThrow(
      `Failed to start the mock server: port ${taken} of 127.0.0.1 is already in use. Choose another port.`,
    );
    await using __ = await occupied(other);
  });

  it('a port in use is named when a space opens', async () => {
    const server = await openServer();
    const taken = portOf(server.baseUrl);

    await expect(server.openSpace({ id: 'two', port: taken })).rejects.toThrow(
      `Failed to open a space: port ${taken} of 127.0.0.1 is already in use. Choose another port.`,
    );
    expect((await server.openSpace({ id: 'two' })).id).toBe('two');
  });

  it('ports of spacePorts are used in turn, without those in use', async () => {
    const first = await freePort(3);
    await using _ = await occupied(first + 1);
    const server = await openServer({ spacePorts: [first, first + 2] });
    const open = async (options?: MockSpaceOptions) => await server.openSpace(options);
    const one = await open();
    await one.close();
    const two = await open();
    const three = await open();

    expect([one, two, three].map(({ baseUrl }) => portOf(baseUrl) - first)).toEqual([0, 2, 0]);
    await expect(open()).rejects.toThrow(
      new RangeError(
        `Failed to open a space: the ports ${first} to ${first + 2} are all in use. Close a space, or start the server with more ports.`,
      ),
    );
    expect(server.spaces()).toHaveLength(3);
    await two.close();
    expect(portOf((await open()).baseUrl) - first).toBe(2);
    await expect(open({ port: 0 })).resolves.toMatchObject({ id: expect.any(String) });
  });
});

describe('close', () => {
  it('ends idle and busy connections of the space, frees its port, and leaves the others alone', async () => {
    const server = await openServer();
    const two = await server.openSpace();
    two.faults.always('stall');
    const [idle, busy, other] = await Promise.all([two, two, server].map(({ baseUrl }) => openConnection(baseUrl)));
    const audio = await audioUrlOf(server);
    busy?.send(`GET /v1/memories HTTP/1.1\r\nhost: mock\r\n\r\n`);
    await two.nextRequest();
    const waiting = two.nextRequest();

    await two.close();

    expect([await idle?.ended, await busy?.ended]).toEqual(['closed', 'ECONNRESET']);
    await expect(waiting).rejects.toThrow('Failed to wait for a request: the mock was closed');
    expect(two.requests).toMatchObject([{ seq: 1, fault: 'stall', ended: 'aborted' }]);
    await using _ = await occupied(portOf(two.baseUrl));
    other?.send('GET / HTTP/1.1\r\nhost: mock\r\n\r\n');
    await other?.received(/HTTP\/1\.1 404/);
    expect(await statusOf(fetch(audio))).toBe(200);
    await two.close();
  });

  it('a closed server opens no space, not even one that was opening, and has no next request', async () => {
    const server = await openServer();
    const closed = 'Failed to open a space: the server is closed. Start another one.';
    const opening = expect(server.openSpace()).rejects.toThrow(closed);
    await server.close();
    await opening;

    await expect(server.openSpace()).rejects.toThrow(new Error(closed));
    expect(server.spaces()).toEqual([]);
    await expect(server.nextRequest()).rejects.toThrow('Failed to wait for a request: the mock was closed');
  });

  it('a process with a closed server ends by itself', async () => {
    const module = fileURLToPath(new URL('./start-mock-server.ts', import.meta.url));
    const program = `
      const { startMockServer } = await import(${JSON.stringify(module)});
      const server = await startMockServer();
      const space = await server.openSpace();
      space.faults.next({ delay: 60_000 });
      space.faults.next('stall');
      const requests = [1, 2].map(() => fetch(space.baseUrl + '/v1/memories').catch(() => {}));
      await space.nextRequest();
      await fetch(server.mediaUrl);
      await server.openSpace({ port: Number(new URL(space.baseUrl).port) }).catch(() => {});
      await server.close();
      await Promise.all(requests);
      console.log('closed');`;
    const run = promisify(execFile)(
      process.execPath,
      ['--conditions=@memory-read/source', '--input-type=module', '-e', program],
      {
        timeout: 20_000,
      },
    );

    expect((await run).stdout).toBe('closed\n');
  });
});

async function occupied(port: number): Promise<AsyncDisposable> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  return { [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())) };
}

/** Returns the first of some free ports, below those that systems give to clients. */
async function freePort(count = 1): Promise<number> {
  const first = 11_000 + Math.floor(Math.random() * 20_000);
  try {
    for (let port = first; port < first + count; port += 1) await (await occupied(port))[Symbol.asyncDispose]();
    return first;
  } catch {
    return freePort(count);
  }
}
