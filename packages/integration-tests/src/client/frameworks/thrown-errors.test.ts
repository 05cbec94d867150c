import { once } from 'node:events';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { type Listening, listen } from '@memory-read/test-kit/listen';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import express from 'express';
import fastify from 'fastify';
import Koa from 'koa';
import { expect, test, vi } from 'vitest';

/** What a gateway adds that belongs to its own response only. */
const ofGateway = {
  'cache-control': 'public, max-age=31536000',
  'set-cookie': 'gateway=1',
  'access-control-allow-origin': 'https://gateway.example',
  'content-encoding': 'gzip',
  'content-type': 'application/json; charset=x-gateway',
  'x-gateway': '1',
};

/** Starts a gateway whose answers are compressed and chunked. */
async function startGateway(status: number, detail: string): Promise<Listening> {
  return listen((_request, response) => {
    response.writeHead(status, ofGateway);
    response.flushHeaders();
    response.end(gzipSync(JSON.stringify({ detail })));
  });
}

type Read = () => Promise<unknown>;

/** Starts an app whose only route throws what the client throws, and whose error handling is that of the framework. */
const frameworks: Record<string, (read: Read) => Promise<Listening>> = {
  async Express(read) {
    const app = express().set('env', 'test');
    app.get('/', async (_request, response) => void response.json(await read()));
    return listen(app);
  },
  async Koa(read) {
    const app = new Koa({ env: 'test' });
    app.silent = true;
    app.use(async (context) => {
      context.body = await read();
    });
    return listen(app.callback());
  },
  async Fastify(read) {
    const app = fastify();
    app.get('/', async () => read());
    await app.ready();
    return listen((incoming, response) => app.routing(incoming, response));
  },
};

/** Sends a GET request and returns its response as it came. `fetch` would repair some of it. */
async function get(url: string) {
  const sent = request(url, { agent: false }).end();
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() };
}

for (const [name, start] of Object.entries(frameworks)) {
  test.each([
    [404, 'Memory not found'],
    [401, 'Invalid API key'],
    [429, 'Too many requests'],
    [403, 'Forbidden'],
    [500, 'Down'],
  ])(`an unhandled error puts nothing of the gateway into the response of ${name}: %i`, async (status, detail) => {
    await using gateway = await startGateway(status, detail);
    const client = new MemoryClient({ baseUrl: gateway.url, apiKey: 'sk_test_key', retries: 0 });
    const thrown = vi.fn();
    await using app = await start(async () => {
      try {
        return await client.getMemory('mem_1');
      } catch (error) {
        thrown(error);
        throw error;
      }
    });
    const { headers, text } = await get(app.url);
    const error = thrown.mock.lastCall?.[0];
    expect(isMemoryApiError(error)).toBe(true);
    expect(error).toMatchObject({ status, responseHeaders: { 'x-gateway': '1', 'content-encoding': 'gzip' } });
    for (const [header, value] of Object.entries(ofGateway))
      expect([header, headers[header]]).not.toEqual([header, value]);
    for (const header of ['content-encoding', 'set-cookie', 'access-control-allow-origin', 'x-gateway'])
      expect(headers).not.toHaveProperty(header);
    expect('transfer-encoding' in headers && 'content-length' in headers).toBe(false);
    expect(text).toMatch(/\w/);
  });

  test.each([204, 206, 302, 304])(`${name} answers 500 to an unhandled error if the API answers %i`, async (status) => {
    await using api = await listen(
      (_request, response) => void response.writeHead(status, { location: '/login' }).end(),
    );
    const client = new MemoryClient({ baseUrl: api.url, apiKey: 'sk_test_key', retries: 0 });
    await using app = await start(() => client.getMemory('mem_1'));
    const { status: shown, headers } = await get(app.url);
    expect(shown).toBe(500);
    expect(headers).not.toHaveProperty('location');
  });

  test.each([200, 204, 206, 302])(
    `${name} answers 500 to an unhandled error if the storage answers %i`,
    async (status) => {
      await using storage = await listen((_request, response) => {
        response.writeHead(status, { location: '/login' }).end(status === 200 ? 'x'.repeat(20) : undefined);
      });
      const memory = sampleMemory({ id: 'mem_1', audio_url: `${storage.url}/a.wav?signature=1` });
      await using api = await listen((_request, response) => void response.end(JSON.stringify(memory)));
      const client = new MemoryClient({ baseUrl: api.url, apiKey: 'sk_test_key', retries: 0 });
      await using app = await start(async () => {
        const { body } = await client.openMedia('mem_1', 'audio', { maxBytes: 10 });
        return new Response(body).text();
      });
      expect((await get(app.url)).status).toBe(500);
    },
  );
}
