import { runCounts } from '@memory-read/test-kit/run-counts';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { megabytesOf, type ServeProcess, startServe } from '../serving/start-serve.ts';
import { exchange } from './exchange.ts';
import { rawRequest } from './raw-request.ts';

let server: ServeProcess;
let port: number;
/** Ends the server, and returns all that it has logged. */
let readLog: () => Promise<string>;

beforeEach(async () => {
  server = await startServe(['--in-memory', '--log', 'json'], { stderr: 'ignore' });
  port = Number(new URL(server.baseUrl).port);
  let log = '';
  server.child.stderr.on('data', (chunk) => (log += chunk));
  readLog = async () => {
    await server.close();
    return log;
  };
  return server.close;
});

const hosts = {
  'another host': ['Host: evil.example'],
  'two hosts': ['Host: evil.example', 'Host: 127.0.0.1'],
  'no host': [],
  'an empty host': ['Host:'],
  'a host with a path': ['Host: 127.0.0.1/evil'],
  'a host with a user': ['Host: user@evil.example'],
  'a forwarded host': ['Host: x', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: javascript'],
  'a Forwarded header': ['Host: x', 'Forwarded: host=evil.example;proto=https'],
  'a path of another name': ['Host: x', 'X-Original-URL: /v1/memories/mem_of_ada', 'X-Rewrite-URL: /evil'],
  'another method': ['Host: x', 'X-HTTP-Method-Override: DELETE'],
};

test(`${Object.keys(hosts).length} headers that name another host change no memory and no media URL`, async () => {
  for (const [name, headers] of Object.entries(hosts)) {
    for (const target of ['/v1/memories', 'http://evil.example/v1/memories']) {
      const lines = [`GET ${target} HTTP/1.1`, ...headers, `X-API-Key: ${server.apiKey}`, 'Connection: close'];
      const answer = await exchange(port, `${lines.join('\r\n')}\r\n\r\n`);
      expect(answer, name).not.toContain('evil');
      if (!answer.startsWith('HTTP/1.1 200')) expect(answer, name).toMatch(/^HTTP\/1\.1 400 /);
      else expect(answer, name).toContain(`"audio_url":"${server.baseUrl}/media/`);
    }
  }
});

const escaped = (text: string) => Array.from(text, (each) => `%${each.charCodeAt(0).toString(16)}`).join('');
const encodings = [
  (key: string) => key,
  escaped,
  (key: string) => escaped(escaped(key)),
  (key: string) => Array.from(key, (each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
];

test('a key is in no response and no log, wherever and in whichever of four encodings it was sent', async () => {
  const { apiKey } = server;
  const forms = encodings.map((encode) => encode(apiKey));
  const requests = forms.flatMap((sent) => [
    `GET /v1/memories/${sent} HTTP/1.1\r\nHost: x\r\n`,
    `GET /v1/memories?key=${sent} HTTP/1.1\r\nHost: x\r\n`,
    `GET /${sent} HTTP/1.1\r\nHost: x\r\n`,
    `GET /media/${sent}?signature=${sent} HTTP/1.1\r\nHost: x\r\n`,
    `GET /v1/memories/${sent} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\n`,
    `GET /v1/memories HTTP/1.1\r\nHost: ${sent}\r\n`,
    `GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${sent}\r\n`,
    `GET /v1/memories HTTP/1.1\r\nHost: x\r\nUser-Agent: ${sent}\r\n`,
    `${sent} /v1/memories HTTP/1.1\r\nHost: x\r\n`,
  ]);
  const answers = await sendAll(requests);
  for (const [place, text] of Object.entries({ answers, log: await readLog() })) {
    for (const form of forms) expect(text, place).not.toContain(form.slice(form.length / 4));
  }
});

test('what a caller sends is one line of the log a request, and never one of its own', async () => {
  const forged = '{"event":"request","status":200}';
  const requests = [
    `GET /%0d%0a${encodeURIComponent(forged)} HTTP/1.1\r\nHost: x\r\n`,
    `GET /\u001b[2J\u0085\u009b HTTP/1.1\r\nHost: x\r\n`,
    `GET /${encodeURIComponent('\u202e\u2066')} HTTP/1.1\r\nHost: x\r\n`,
    `GET /","event":"forged HTTP/1.1\r\nHost: x\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${forged}\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\u001b]0;owned\u0007\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\n${forged}\r\n`,
  ];
  await sendAll(requests);
  const lines = (await readLog()).trimEnd().split('\n');
  // The server also says that it starts and stops.
  expect(lines.length).toBeLessThanOrEqual(requests.length + 3);
  for (const line of lines) {
    expect(JSON.parse(line), line).not.toHaveProperty('event', 'forged');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
});

async function sendAll(requests: readonly string[]): Promise<string> {
  let answers = '';
  for (const request of requests) answers += await exchange(port, `${request}Connection: close\r\n\r\n`);
  return answers;
}

const count = runCounts.rawRequests.full;

test(`${count} random requests get responses in the format of the API, never a 5xx, and leave the server as it was`, async () => {
  await sendRandom(Math.ceil(count / 10));
  const before = megabytesOf(server, 'VmRSS');
  await sendRandom(count);
  const after = megabytesOf(server, 'VmRSS');
  console.log(`${count} raw requests: ${before} MB before, ${after} MB after`);
  expect(after - before).toBeLessThan(32);
  const alive = await fetch(`${server.baseUrl}/v1/memories`, { headers: { 'x-api-key': server.apiKey } });
  expect(await alive.json()).toHaveLength(24);
}, 600_000);

/** Prints a failing seed. */
async function sendRandom(requests: number): Promise<void> {
  const batch = 50;
  const requestsOfBatch = fc.array(rawRequest(server.apiKey), { minLength: batch, maxLength: batch });
  const property = fc.asyncProperty(requestsOfBatch, async (texts) => {
    const answers = await Promise.all(texts.map((text) => exchange(port, text)));
    for (const [index, answer] of answers.entries()) {
      assertAnswer(answer.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, ''), texts[index] ?? '');
    }
  });
  await fc.assert(property, { numRuns: Math.ceil(requests / batch) });
}

const expected = new Set([200, 204, 302, 400, 401, 403, 404, 405, 408, 417, 422, 431]);

/** Accepts a second response after the first one, because a body that was not announced counts as a request. */
function assertAnswer(answer: string, request: string): void {
  const about = `to ${JSON.stringify(request.slice(0, 400))} came ${JSON.stringify(answer.slice(0, 600))}`;
  const statuses = Array.from(answer.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
  const [head = '', body = ''] = answer.split(/\r\n\r\n(.*)/s);
  expect(statuses.length > 0 && statuses.every((status) => expected.has(status)), about).toBe(true);
  expect(head.toLowerCase(), about).toContain('\r\nx-request-id: ');
  expect(head.toLowerCase(), about).toContain('\r\nx-content-type-options: nosniff');
  expect(answer.includes(server.apiKey), about).toBe(false);
  if ((statuses[0] ?? 0) >= 400) expect(body, about).toMatch(/^$|^\{"detail":"[^"]+"\}|^HTTP\/1\.1 /);
}
