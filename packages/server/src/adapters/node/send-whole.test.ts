import { afterEach, expect, test } from 'vitest';
import { jsonResponse } from '../../http/responses.ts';
import { type RunningServer, serve } from './serve.ts';

const text = '{"name":"Ünïcödé"}';
let server: RunningServer | undefined;

afterEach(() => server?.close());

async function answered(response: Response, init: RequestInit = {}): Promise<Response> {
  server = await serve({ fetch: () => response, port: 0 });
  return fetch(server.url, init);
}

test('a text is sent whole, and its length is that of its bytes', async () => {
  const response = await answered(jsonResponse(text, 'req_1'));
  expect(response.headers.get('content-length')).toBe('22');
  expect(response.headers.get('x-request-id')).toBe('req_1');
  expect(await response.text()).toBe(text);
});

test('a header that was added to the response on its way is sent', async () => {
  const response = jsonResponse(text, 'req_1');
  response.headers.set('server-timing', 'store;dur=2');
  expect((await answered(response)).headers.get('server-timing')).toBe('store;dur=2');
});

test('a response that was made of another is sent as it is, not as the other was', async () => {
  const original = jsonResponse(text, 'req_1');
  const wrapped = new Response(`[${await original.text()}]`, { status: 203, headers: original.headers });
  const response = await answered(wrapped);
  expect(response.status).toBe(203);
  expect(await response.text()).toBe(`[${text}]`);
});

test('a body that was read already is no whole answer', async () => {
  const response = jsonResponse(text, 'req_1');
  await response.text();
  server = await serve({ fetch: () => response, port: 0, onError: () => {} });
  expect((await fetch(server.url)).status).toBe(500);
});

test('HEAD is told the length, and sent no body', async () => {
  const response = await answered(jsonResponse(text, 'req_1'), { method: 'HEAD' });
  expect(response.headers.get('content-length')).toBe('22');
  expect(await response.text()).toBe('');
});
