import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { problems } from '@memory-read/contract/operations';
import { type RunningServer, serve } from '@memory-read/server/node';
import { beforeEach, expect, test } from 'vitest';

const count = 200;
const requestTimeout = 200;
const late = `HTTP/1.1 408 Request Timeout ${JSON.stringify({ detail: problems['request-timeout'].detail })}`;
let server: RunningServer;

beforeEach(async () => {
  const fetch = async (request: Request) => new Response(await request.text());
  server = await serve({ port: 0, fetch, requestTimeout, onError: () => {} });
  return () => server.close();
});

test.each([
  ['nothing', ''],
  ['half a request line', 'GET /v1/mem'],
  ['half of the headers', 'GET / HTTP/1.1\r\nHost: a\r\nX-API-'],
  ['headers without the empty line', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['half a body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf'],
  ['half a chunk', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\na\r\nhalf'],
])(`${count} connections on which %s comes get a 408 and are closed, while others get responses`, async (_, bytes) => {
  const answers = Array.from({ length: count }, () => untilClosed(bytes));
  const beside = await fetch(server.url, { method: 'POST', body: 'whole' });
  expect(await beside.text()).toBe('whole');
  expect(new Set((await Promise.all(answers)).map(summary))).toEqual(new Set([late]));
});

test('the server closes a connection whose client ends it in the middle of a request', async () => {
  expect(summary(await untilClosed('GET / HTTP/1.1\r\nHost: a\r\n', { isEnded: true }))).toMatch(/^HTTP\/1\.1 40[08] /);
});

/**
 * Sends the bytes and nothing more, keeps its side open unless told otherwise, and returns everything that it receives.
 */
function untilClosed(bytes: string, { isEnded = false } = {}): Promise<string> {
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(bytes);
  if (isEnded) socket.end();
  return text(socket);
}

/** Status line and body. */
function summary(answer: string): string {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  return `${head.split('\r\n')[0]} ${body}`;
}
