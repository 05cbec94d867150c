import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { MockServer, MockSpace } from './mock-server.ts';
import { startMockServer } from './start-mock-server.ts';

const servers: MockServer[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function start(options: Parameters<typeof startMockServer>[0] = {}): Promise<MockServer> {
  const server = await startMockServer(options);
  servers.push(server);
  return server;
}

const get = (space: MockSpace, path = '/v1/memories', init: RequestInit = {}) =>
  fetch(space.baseUrl + path, { ...init, headers: { authorization: `Bearer ${space.apiKey}`, ...init.headers } });

describe('a mock server', () => {
  it('responds like the API, and logs the request', async () => {
    const server = await start();

    const response = await get(server);
    const [{ id }] = (await response.json()) as [{ id: string }];

    expect(response.status).toBe(200);
    expect(server.memories.all()[0]?.id).toBe(id);
    expect(server.requests).toMatchObject([
      { seq: 1, to: 'api', operation: 'listMemories', method: 'GET', path: '/v1/memories', status: 200, ended: 'sent' },
    ]);
    expect(server.requests[0]?.headers.authorization).toBe('[redacted]');
    expect(server.requests[0]?.keyIn).toEqual(['authorization']);
  });

  it('serves media on an origin of their own, and another origin that logs', async () => {
    const server = await start();
    const memory = server.memories.add();
    const { audio_url } = (await (await get(server, `/v1/memories/${memory.id}`)).json()) as { audio_url: string };

    const media = await fetch(audio_url, { headers: { range: 'bytes=0-9' } });
    const bytes = await media.bytes();
    const elsewhere = await fetch(`${server.elsewhereUrl}/v1/memories`);

    expect(media.status).toBe(206);
    expect(bytes).toHaveLength(10);
    expect(await elsewhere.json()).toEqual([]);
    expect(server.requests.map(({ to, operation, bytes: sent }) => [to, operation, sent])).toEqual([
      ['api', 'getMemory', expect.any(Number)],
      ['media', 'media', 10],
      ['elsewhere', null, 2],
    ]);
  });

  it('plays faults of the mock and of the connection', async () => {
    const server = await start();
    server.faults.next({ status: 503 });
    server.faults.next('network-error');

    const first = await get(server);
    await first.text();
    await expect(get(server)).rejects.toThrow('fetch failed');
    const third = await get(server);
    await third.text();

    expect([first.status, third.status]).toEqual([503, 200]);
    expect(server.requests.map(({ status, ended }) => [status, ended])).toEqual([
      [503, 'sent'],
      [null, 'fault'],
      [200, 'sent'],
    ]);
  });

  it('keeps spaces apart', async () => {
    const server = await start();
    const two = await server.openSpace({ id: 'two' });

    expect(server.spaces().map(({ id }) => id)).toEqual(['default', 'two']);
    expect((await fetch(`${two.baseUrl}/v1/memories`, { headers: { 'x-api-key': server.apiKey } })).status).toBe(401);
    expect((await get(two)).status).toBe(200);
    await expect(server.openSpace({ id: 'two' })).rejects.toThrow(
      'Failed to open a space: the space "two" is already open. Close it, or choose another id.',
    );
    await two.close();
    expect(server.spaces().map(({ id }) => id)).toEqual(['default']);
    const socket = connect(Number(new URL(two.baseUrl).port), '127.0.0.1');
    const [error] = await once(socket, 'error');
    expect(error.code).toBe('ECONNREFUSED');
  });
});
