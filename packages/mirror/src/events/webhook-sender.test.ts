import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { freePort } from '@memory-read/test-kit/free-port';
import { listen } from '@memory-read/test-kit/listen';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { DeliveryError } from './delivery-error.ts';
import type { MemoryEvent } from './event-types.ts';
import { createWebhookSender, type WebhookOptions } from './webhook-sender.ts';

const secretOf = (bytes: number, fill = 7) => `whsec_${Buffer.alloc(bytes, fill).toString('base64')}`;
const secret = secretOf(32);
const event: MemoryEvent = {
  id: 'evt_1_abc',
  type: 'memory.added',
  timestamp: '2026-11-20T10:00:00.000Z',
  data: { memory_id: 'mem_1', fields: [] },
};
// Signatures cover bytes, so a text of several bytes a character can show a wrong encoding.
const body = JSON.stringify({ ...event, data: { ...event.data, memory: { name: 'Küche 🎙\u2028' } } });

function post(options: Partial<WebhookOptions> & { url: string | URL }, signal = new AbortController().signal) {
  const { url, timeout, fetch, allowInsecureHttp, secret: secrets = secret } = options;
  const send = createWebhookSender({ url, secret: secrets, timeout, fetch, allowInsecureHttp });
  return Promise.resolve(send(event, { attempt: 1, body, signal }));
}

/** Returns the error of a try, and checks that it is plain and hides the URL. */
async function failureOf(options: Partial<WebhookOptions> & { url: string }, signal?: AbortSignal) {
  const error: unknown = await post({ ...options, url: `${options.url}/hook/s3cret?token=t0ken` }, signal).catch(
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(DeliveryError);
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/s3cret|t0ken|whsec|Küche/);
  return error as DeliveryError;
}

type Received = { headers: IncomingHttpHeaders; method: string | undefined; url: string | undefined; text: string };

async function receive(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const received: Received[] = [];
  const sockets = new Set<unknown>();
  const server = await listen(async (request, response) => {
    sockets.add(request.socket);
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const { headers, method, url } = request;
    received.push({ headers, method, url, text });
    answer(response, request);
  });
  return { ...server, received, sockets };
}

const respond = (status: number, headers: Record<string, string> = {}) =>
  receive((response) => response.writeHead(status, headers).end());

describe('a request', () => {
  it('is a POST of the body to the whole URL, with the headers of Standard Webhooks', async () => {
    await using server = await respond(200);
    const url = new URL(`${server.url}/hook/s3cret?token=t0ken`);
    const send = createWebhookSender({ url, secret });
    url.pathname = '/changed-later';
    await send(event, { attempt: 1, body, signal: new AbortController().signal });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'POST', url: '/hook/s3cret?token=t0ken', text: body });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `memory-read/${manifest.version}`,
      'webhook-id': event.id,
    });
    const seconds = Number(request?.headers['webhook-timestamp']);
    expect(Math.abs(seconds - Date.now() / 1000)).toBeLessThan(60);
  });

  it.each([
    [[secretOf(24)]],
    [[secretOf(64)]],
    [[secretOf(32, 1), secretOf(32, 2)]],
    [[secretOf(24, 1), secretOf(32, 2), secretOf(64, 3)]],
  ])('is accepted by a verifier with any of its secrets', async (secrets) => {
    await using server = await respond(204);
    await post({ url: server.url, secret: secrets });
    const { headers, text } = server.received[0] as Received;
    for (const one of secrets) {
      expect(new Webhook(one).verify(text, headers as Record<string, string>)).toEqual(JSON.parse(body));
    }
    const other = new Webhook(secretOf(32, 9));
    expect(() => other.verify(text, headers as Record<string, string>)).toThrow('No matching signature');
    const known = new Webhook(secrets[0] as string);
    expect(() => known.verify(`${text} `, headers as Record<string, string>)).toThrow('No matching signature');
  });

  it('has the time of its own try, and the same id and body at each', async () => {
    await using server = await respond(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 20) });
    await post({ url: server.url });
    vi.setSystemTime(Date.UTC(2026, 10, 21, 0, 0, 0, 999));
    await post({ url: server.url });
    vi.useRealTimers();
    expect(server.received.map(({ headers }) => headers['webhook-timestamp'])).toEqual(['1795132800', '1795219200']);
    expect(new Set(server.received.map(({ headers, text }) => `${headers['webhook-id']} ${text}`)).size).toBe(1);
  });

  it('is made by the fetch of the caller, whose DeliveryError is kept', async () => {
    const refusal = new DeliveryError('10.0.0.1 is a private address', { action: 'park' });
    await expect(post({ url: 'https://example.com', fetch: () => Promise.reject(refusal) })).rejects.toBe(refusal);
    await expect(
      post({
        url: 'https://example.com',
        fetch: () => {
          throw refusal;
        },
      }),
    ).rejects.toBe(refusal);
  });
});

describe('a response', () => {
  it.each([200, 201, 202, 204, 299])('%i accepts the event', async (status) => {
    await using server = await respond(status);
    await expect(post({ url: server.url })).resolves.toBeUndefined();
  });

  it.each([
    [410, 'stop', ': it no longer exists'],
    ...[408, 425, 429, 502, 503, 504].map((status) => [status, 'unavailable', ''] as const),
    ...[400, 401, 403, 404, 409, 413, 422, 500, 501, 505, 599].map((status) => [status, 'retry', ''] as const),
    ...[300, 304].map((status) => [status, 'retry', ', a redirect, which is not followed'] as const),
  ] as const)('%i means %s', async (status, action, meaning) => {
    await using server = await respond(status);
    expect(await failureOf(server)).toMatchObject({
      action,
      message: `${server.url} answered ${status}${meaning}`,
      retryAfter: undefined,
    });
  });

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    await using target = await respond(200);
    await using server = await respond(status, { location: `${target.url}/elsewhere` });
    expect(await failureOf(server)).toMatchObject({ action: 'retry' });
    expect(target.received).toEqual([]);
  });

  it.each([
    ['120', 120_000],
    ['Fri, 20 Nov 2026 10:00:30 GMT', 30_000],
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', undefined],
  ])('with Retry-After: %s asks to wait for %s ms', async (value, retryAfter) => {
    await using server = await respond(503, { 'retry-after': value, date: 'Fri, 20 Nov 2026 10:00:00 GMT' });
    expect(await failureOf(server)).toMatchObject({ retryAfter });
  });

  it.each([200, 500])('%i with an endless body is not read, and its connection is closed', async (status) => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await receive((response) => {
      response.writeHead(status).on('close', resolve);
      const write = () => {
        while (response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    });
    await post({ url: server.url }).catch(() => {});
    await closed;
  });

  it('with a small body leaves its connection to the next event', async () => {
    await using server = await receive((response) => response.end('{"message":"Workflow was started"}'));
    const send = createWebhookSender({ url: server.url, secret });
    for (let attempt = 1; attempt <= 10; attempt++) {
      await send(event, { attempt, body, signal: new AbortController().signal });
    }
    expect(server.sockets.size).toBeLessThan(5);
  });

  it('with a body that is not the gzip that it claims accepts the event', async () => {
    await using server = await receive((response) => response.setHeader('content-encoding', 'gzip').end('no gzip'));
    await expect(post({ url: server.url })).resolves.toBeUndefined();
  });

  it('that is cut after its head accepts the event', async () => {
    await using server = await receive((response, request) => {
      response.writeHead(200, { 'content-length': '100' }).write('x', () => request.socket.destroy());
    });
    await expect(post({ url: server.url })).resolves.toBeUndefined();
  });
});

describe('without a response, the receiver is unavailable', () => {
  it('if the connection is cut', async () => {
    await using server = await receive((_response, request) => request.socket.destroy());
    expect(await failureOf(server)).toMatchObject({
      action: 'unavailable',
      message: `${server.url} cannot be reached (UND_ERR_SOCKET)`,
    });
  });

  it('if no server listens', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const message = `${url} cannot be reached (ECONNREFUSED)`;
    expect(await failureOf({ url })).toMatchObject({ action: 'unavailable', message });
  });

  it('if its name is unknown', async () => {
    const lookup = Object.assign(new Error('getaddrinfo ENOTFOUND hooks.example'), { code: 'ENOTFOUND' });
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause: lookup }));
    const message = 'https://hooks.example cannot be reached (ENOTFOUND)';
    expect(await failureOf({ url: 'https://hooks.example', fetch })).toMatchObject({ action: 'unavailable', message });
  });

  it('if the response takes longer than the timeout, also with a fetch that ignores its signal', async () => {
    await using server = await receive(() => {});
    const message = `${server.url} did not answer within 50 ms`;
    expect(await failureOf({ ...server, timeout: 50 })).toMatchObject({ action: 'unavailable', message });
    const fetch = () => new Promise<never>(() => {});
    expect(await failureOf({ ...server, timeout: 50, fetch })).toMatchObject({ action: 'unavailable', message });
  });

  it('if the deliveries were ended', async () => {
    await using server = await receive(() => {});
    const signal = AbortSignal.timeout(50);
    const message = `${server.url} did not answer before the deliveries were ended`;
    expect(await failureOf(server, signal)).toMatchObject({ action: 'unavailable', message });
    expect(await failureOf(server, signal)).toMatchObject({ message });
  });

  it('if its certificate is not trusted', async () => {
    const file = (name: string) =>
      readFileSync(new URL(`../../../test-kit/src/postgres/certificates/${name}`, import.meta.url));
    const server = createServer({ cert: file('server.pem'), key: file('server.key') }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const failure = await failureOf({ url });
    server.close();
    expect(failure.action).toBe('unavailable');
    expect(failure.message).toMatch(/^https:\/\/localhost:\d+ has a certificate that is not trusted \([A-Z_]+\)$/);
  });

  it('if fetch fails with a message that has the URL, or with anything else', async () => {
    for (const thrown of [
      new Error('cannot reach https://example.com/hook/s3cret'),
      'text',
      undefined,
      { code: 's3cret' },
    ]) {
      const failure = await failureOf({ url: 'https://example.com', fetch: () => Promise.reject(thrown) });
      expect(failure).toMatchObject({ action: 'unavailable', message: 'https://example.com cannot be reached' });
    }
  });
});
