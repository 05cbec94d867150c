import { expect, test } from 'vitest';
import { exchange } from '../fuzz/exchange.ts';
import { startTwoAccounts } from './start-two-accounts.ts';

const memory = '/v1/memories/mem_of_eve';

const smuggled = 'GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\n\r\n';
const framings: Record<string, string[]> = {
  'a length and chunks': ['Content-Length: 4', 'Transfer-Encoding: chunked'],
  'chunks and a length': ['Transfer-Encoding: chunked', 'Content-Length: 4'],
  'two lengths': ['Content-Length: 0', 'Content-Length: 60'],
  'two lengths in one': ['Content-Length: 0, 60'],
  'a length with a sign': ['Content-Length: +60'],
  'a length in hexadecimal digits': ['Content-Length: 0x3c'],
  'a negative length': ['Content-Length: -1'],
  'a space before the colon of the length': ['Content-Length : 60'],
  'a length on a folded line': ['Content-Length:', ' 60'],
  'chunks twice': ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  'chunks of an unknown coding': ['Transfer-Encoding: xchunked'],
  'chunks before another coding': ['Transfer-Encoding: chunked, identity'],
  'chunks behind a vertical tab': ['Transfer-Encoding: \u000bchunked'],
  'a header name with a NUL': ['Transfer-Encoding\0: chunked'],
  'a header line that ends with a line feed': ['X: y\nTransfer-Encoding: chunked'],
  'a header line that ends with a carriage return': ['X: y\rTransfer-Encoding: chunked'],
};

test(`${Object.keys(framings).length} ambiguous framings smuggle no second request`, async () => {
  const { port, keys, readLog } = await startTwoAccounts();
  for (const [name, headers] of Object.entries(framings)) {
    const head = ['GET /nowhere HTTP/1.1', 'Host: x', ...headers];
    const answer = await exchange(port, `${head.join('\r\n')}\r\n\r\n0\r\n\r\n${smuggled.replace('KEY', keys.ada)}`);
    // A front that saw one request only would send what follows to the next caller.
    expect(answer, name).toMatch(/^HTTP\/1\.1 4/);
    expect(answer, name).not.toContain('Private talk');
  }
  expect(await readLog()).not.toContain(keys.ada);
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
  const { port, keys, baseUrl } = await startTwoAccounts();
  for (const [name, headers] of Object.entries(hosts)) {
    for (const target of [memory, `http://evil.example${memory}`]) {
      const lines = [`GET ${target} HTTP/1.1`, ...headers, `X-API-Key: ${keys.eve}`, 'Connection: close'];
      const answer = await exchange(port, `${lines.join('\r\n')}\r\n\r\n`);
      expect(answer, name).not.toContain('evil');
      if (!answer.startsWith('HTTP/1.1 200')) expect(answer, name).toMatch(/^HTTP\/1\.1 400 /);
      else expect(answer, name).toContain(`"audio_url":"${baseUrl}/media/eve/own.wav?`);
    }
  }
});

const escaped = (text: string) => Array.from(text, (each) => `%${each.charCodeAt(0).toString(16)}`).join('');
const encodings = {
  'as it is': (key: string) => key,
  'percent-encoded': escaped,
  'percent-encoded twice': (key: string) => escaped(escaped(key)),
  'as escapes of JSON': (key: string) => Array.from(key, (each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
};

test('a key is in no response and no log, wherever and in whichever of four encodings it was sent', async () => {
  const { port, keys, readLog } = await startTwoAccounts();
  const forms = Object.values(encodings).map((encode) => encode(keys.eve));
  let answers = '';
  for (const sent of forms) {
    const requests = [
      `GET /v1/memories/${sent} HTTP/1.1\r\nHost: x\r\n`,
      `GET /v1/memories?key=${sent} HTTP/1.1\r\nHost: x\r\n`,
      `GET /${sent} HTTP/1.1\r\nHost: x\r\n`,
      `GET /media/${sent}?signature=${sent} HTTP/1.1\r\nHost: x\r\n`,
      `GET /v1/memories/${sent} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.eve}\r\n`,
      `GET /v1/memories HTTP/1.1\r\nHost: ${sent}\r\n`,
      `GET /v1/memories HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${sent}\r\n`,
      `GET /v1/memories HTTP/1.1\r\nHost: x\r\nUser-Agent: ${sent}\r\n`,
      `${sent} /v1/memories HTTP/1.1\r\nHost: x\r\n`,
    ];
    for (const request of requests) answers += await exchange(port, `${request}Connection: close\r\n\r\n`);
  }
  for (const [place, text] of Object.entries({ answers, log: await readLog() })) {
    for (const form of [keys.eve, ...forms]) expect(text, place).not.toContain(form.slice(form.length / 4));
  }
});

test('what a caller sends is one line of the log a request, and never one of its own', async () => {
  const { port, readLog } = await startTwoAccounts();
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
  for (const request of requests) await exchange(port, `${request}Connection: close\r\n\r\n`);
  const lines = (await readLog()).trimEnd().split('\n');
  // The server also says that it starts and stops.
  expect(lines.length).toBeLessThanOrEqual(requests.length + 3);
  for (const line of lines) {
    expect(JSON.parse(line), line).not.toHaveProperty('event', 'forged');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
  }
});
