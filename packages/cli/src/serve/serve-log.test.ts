import { once } from 'node:events';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createApiKey, createHmacMediaSigner } from '@memory-read/server';
import { expect, test } from 'vitest';
import { exchange } from '../testing/exchange.ts';
import { memoriesOf, type RunningServe, startServe, temporaryDirectory } from '../testing/run-cli.ts';
import { spawnServe } from '../testing/spawn-cli.ts';
import { newDatabase, storeMemories, withStore } from '../testing/sqlite-file.ts';

const noOwner = { userId: null, keyId: null, clientAddress: '127.0.0.1' };
const secrets = [{ id: 'summer', secret: 'a-secret-of-the-media' }];

test('logs a request as one line of JSON with the id of the response', async () => {
  const server = await startServe(['--demo', '--in-memory', '--log', 'json']);
  const list = await ask(server, `GET /v1/memories?limit=1 HTTP/1.1\r\nX-API-Key: ${server.apiKey}`);
  const unreadable = await ask(server, 'NONSENSE');
  await ask(server, 'HEAD /healthz HTTP/1.1\r\nX-Request-Id: check-1');
  const [first, ...others] = await jsonLinesOf(server);
  expect(first).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    level: 'info',
    event: 'request',
    requestId: requestIdOf(list),
    clientAddress: '127.0.0.1',
    userId: 'user_demo',
    keyId: expect.stringMatching(/^key_/),
    method: 'GET',
    operation: 'listMemories',
    path: '/v1/memories',
    status: 200,
    outcome: 'finished',
    elapsedMs: expect.any(Number),
    bytesSent: list.length,
  });
  expect(others).toMatchObject([
    { requestId: requestIdOf(unreadable), method: null, operation: null, path: null, status: 400, ...noOwner },
    { requestId: 'check-1', ...noOwner, method: 'HEAD', operation: 'healthz', path: '/healthz', status: 200 },
  ]);
});

test('logs its start and its end, and why a key or a media URL was refused', async () => {
  const db = newDatabase();
  const [revoked, expired] = [createApiKey(), createApiKey()];
  await withStore(db, async (store) => {
    await store.putAccount({ userId: 'ada' });
    await store.putApiKey({ ...revoked, userId: 'ada', active: false });
    await store.putApiKey({ ...expired, userId: 'ada', expiresAt: new Date(0) });
  });
  const server = await startOn(db);
  for (const key of [revoked.key, expired.key, 'mrk_unknown']) {
    await ask(server, `GET /v1/memories HTTP/1.1\r\nX-API-Key: ${key}`);
  }
  await ask(server, 'GET /v1/memories HTTP/1.1');
  const signer = createHmacMediaSigner({ baseUrl: `${server.baseUrl}/media`, secrets });
  const late = new URL(signer.sign({ objectKey: 'a.wav', contentType: 'audio/wav', expiresAt: new Date(0) }));
  await ask(server, `GET ${late.pathname}${late.search} HTTP/1.1`);
  await ask(server, 'GET /media/a.wav HTTP/1.1');
  const lines = (await allLinesOf(server)).map((line) => JSON.parse(line));
  const reasons = lines.map(({ event, status, userId, keyId, reason }) => [event, status, userId, keyId, reason]);
  expect(reasons).toEqual([
    ['started', undefined, undefined, undefined, undefined],
    ['request', 401, null, revoked.keyId, 'revoked'],
    ['request', 401, null, expired.keyId, 'expired'],
    ['request', 401, null, null, 'unknown'],
    ['request', 401, null, null, 'missing'],
    ['request', 403, null, null, 'expired'],
    ['request', 403, null, null, 'invalid'],
    ['stopping', undefined, undefined, undefined, undefined],
  ]);
  expect(lines[0]).toMatchObject({
    level: 'info',
    version: '0.0.0',
    baseUrl: server.baseUrl,
    localUrl: server.baseUrl,
  });
  expect(lines.at(-1)).toMatchObject({ signal: 'SIGTERM' });
});

test('logs a 500 with its error, under the same id', async () => {
  const directory = temporaryDirectory();
  const db = join(directory, 'memories.sqlite');
  const server = await startServe(['--demo', '--db', db, '--media-dir', join(directory, 'media'), '--log', 'json']);
  const database = new DatabaseSync(db);
  database.exec('ALTER TABLE memories RENAME TO gone');
  database.close();
  const answer = await ask(server, `GET /v1/memories/mem_1 HTTP/1.1\r\nX-API-Key: ${server.apiKey}`);
  expect(answer).toMatch(/^HTTP\/1\.1 500 /);
  const requestId = requestIdOf(answer);
  expect(await jsonLinesOf(server)).toMatchObject([
    { level: 'error', event: 'failure', requestId, operation: 'getMemory', error: expect.stringContaining('memories') },
    { level: 'error', event: 'request', requestId, operation: 'getMemory', status: 500 },
  ]);
});

test('concurrent requests with one X-Request-Id and different keys each have their own account and key', async () => {
  const db = newDatabase();
  const keys: Record<string, { userId: string; key: string; keyId: string }> = {};
  // More than the buffers of a connection hold, so that the response of a caller that does not read stays in flight.
  const summary = { quick_summary: 'x'.repeat(1_000_000), key_takeaways: [] };
  await storeMemories(
    db,
    'ada',
    Array.from({ length: 20 }, (_, index) => ({ id: `mem_${index}`, summary })),
  );
  await withStore(db, async (store) => {
    for (const userId of ['ada', 'bob']) {
      const { key, ...stored } = createApiKey();
      await store.putAccount({ userId });
      await store.putApiKey({ ...stored, userId });
      keys[userId] = { userId, key, keyId: stored.keyId };
    }
  });
  const server = await startOn(db);
  const head = (key = 'mrk_wrong') => `GET /v1/memories HTTP/1.1\r\nX-Request-Id: same\r\nX-API-Key: ${key}`;
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1');
  socket.write(`${head(keys.ada?.key)}\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await new Promise<void>((resolve) => socket.once('readable', resolve));
  expect(await ask(server, head(keys.bob?.key))).toMatch(/^HTTP\/1\.1 200 /);
  expect(await ask(server, head())).toMatch(/^HTTP\/1\.1 401 /);
  socket.resume();
  await new Promise((resolve) => socket.once('close', resolve));
  const lines = await jsonLinesOf(server);
  const owner = ({ userId, keyId }: { userId: string | null; keyId: string | null } = noOwner) => ({
    requestId: 'same',
    userId,
    keyId,
  });
  expect(lines).toMatchObject([owner(keys.bob), { ...owner(), status: 401 }, owner(keys.ada)]);
});

test('rejected requests of a connection that is reset have an address, and no account', async () => {
  const server = await startServe(['--demo', '--in-memory', '--log', 'json']);
  // The 17th unanswered request resets the connection.
  await exchange(server.baseUrl, 'GET /v1/memories HTTP/1.1\r\nHost: a\r\nX-API-Key: mrk_wrong\r\n\r\n'.repeat(40));
  const lines = await jsonLinesOf(server);
  expect(lines.at(-1)).toMatchObject({ operation: 'listMemories', outcome: 'aborted' });
  for (const line of lines) expect(line).toMatchObject(noOwner);
});

test('behind a trusted proxy, the log shows the address that the proxy reports, and none that a caller writes', async () => {
  const forwarded = 'GET /healthz HTTP/1.1\r\nX-Forwarded-For: 203.0.113.1, 198.51.100.1:80\r\nX-Forwarded-For: ::1';
  const addresses = async (...args: string[]) => {
    const server = await startServe(['--in-memory', '--log', 'json', ...args]);
    await ask(server, forwarded);
    await ask(server, 'GET /healthz HTTP/1.1\r\nX-Forwarded-For: mrk_abcdefghijk, ::1');
    return (await jsonLinesOf(server)).map(({ clientAddress }) => clientAddress);
  };
  expect(await addresses()).toEqual(['127.0.0.1', '127.0.0.1']);
  expect(await addresses('--trust-proxy', '127.0.0.0/8, ::1')).toEqual(['198.51.100.1', '::1']);
});

test('pretty prints a line per request, and none prints nothing', async () => {
  const pretty = await startServe(['--demo', '--in-memory', '--log', 'pretty']);
  const answer = await ask(pretty, 'GET /nowhere HTTP/1.1');
  const [line, ...others] = await linesOf(pretty);
  expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} 404 GET \/nowhere \d+(\.\d)? ms req_\w+ 127\.0\.0\.1$/);
  expect(line?.endsWith(` ${requestIdOf(answer)} 127.0.0.1`)).toBe(true);
  expect(others).toEqual([]);
  const silent = await startServe(['--demo', '--in-memory', '--log', 'none']);
  await ask(silent, 'GET /nowhere HTTP/1.1');
  expect(await linesOf(silent)).toEqual([]);
});

test.each(['json', 'pretty'])('no key, signature or expiry is logged as %s, wherever it was sent', async (log) => {
  const args = ['--demo', '--in-memory', '--media-secrets', 'env:SECRETS', '--log', log];
  const server = await startServe(args, { env: { SECRETS: JSON.stringify(secrets) } });
  const mediaUrls = await signedUrls(server);
  const requests = [...requestsWithKey(server.apiKey), ...mediaUrls.flatMap(requestsOfMedia)];
  for (const request of requests) expect(await ask(server, request), request).toMatch(/^HTTP\/1\.1 \d{3} /);
  const written = (await linesOf(server)).join('\n');
  const hidden = mediaUrls.flatMap((url) =>
    [...new URL(url).searchParams.values()].filter((value) => value.length > 9),
  );
  const keyParts = [server.apiKey.slice(4, 24), server.apiKey.slice(-20)];
  for (const secret of [...keyParts, ...hidden, 'signature', 'expires', 'summer']) {
    expect(written.toLowerCase()).not.toContain(secret.toLowerCase());
  }
  expect(written.split('\n')).toHaveLength(requests.length + 1);
});

test('a log that is not read from the pipe blocks neither requests nor the end of serve', async () => {
  const server = await spawnServe(['--demo', '--in-memory', '--log', 'json'], { readStderr: false });
  const path = `/${'a'.repeat(500)}`;
  for (let batch = 0; batch < 40; batch += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(server.baseUrl + path)));
    await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  }
  server.child.kill('SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([0, null]);
});

/** Serves a database, and logs requests as JSON. */
function startOn(db: string): Promise<RunningServe> {
  const args = ['--db', db, '--log', 'json', '--media-secrets', 'env:SECRETS'];
  return startServe(args, { cwd: dirname(db), env: { SECRETS: JSON.stringify(secrets) } });
}

/** The key in every position in which callers could send it by mistake, in every spelling. */
function requestsWithKey(key: string): string[] {
  const escaped = Array.from(key, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
  const spellings = [key, key.toUpperCase(), escaped, encodeURIComponent(escaped), key.replace('_', '%5f')];
  return [
    ...spellings.flatMap((spelling) => [
      ...[`GET /v1/memories/${spelling} HTTP/1.1\r\nX-API-Key: ${key}`, `GET /${spelling} HTTP/1.1`],
      ...[`GET /media/${spelling} HTTP/1.1`, `GET /v1/memories?api_key=${spelling} HTTP/1.1`],
      `GET http://${spelling}@host/v1/memories HTTP/1.1`,
    ]),
    ...[
      ...['X-API-Key: ', 'Authorization: Bearer ', 'Authorization: ', 'X-Request-Id: ', 'X-Request-Id: key:'],
      'Expect: ',
    ].map((header) => `GET /v1/memories HTTP/1.1\r\n${header}${key}`),
    `GET /v1/memories HTTP/1.1\r\nX-API-Key: ${key}\r\nX-API-Key: ${key}`,
    `GET /v1/memories HTTP/1.1\r\nX-API-Key ${key}`,
    `${key} /v1/memories HTTP/1.1`,
    `GET /v1/memories ${key}`,
    `GET /v1/memories HTTP/1.1\r\nX-API-Key: ${key.repeat(500)}`,
  ];
}

function requestsOfMedia(url: string): string[] {
  const { pathname, search } = new URL(url);
  const target = pathname + search;
  return [
    target,
    target.replace('expires=', 'expires=1'),
    `${target}x`,
    pathname + encodeURIComponent(search),
    encodeURI(encodeURIComponent(target)).replace(/^/, '/'),
    pathname + search.replace('?', '&'),
    url,
  ].map((path) => `GET ${path} HTTP/1.1`);
}

/** Returns a valid URL and an expired one. */
async function signedUrls(server: RunningServe): Promise<string[]> {
  const good = (await memoriesOf(server)).flatMap(({ audio_url }) => audio_url ?? [])[0] ?? '';
  const signer = createHmacMediaSigner({ baseUrl: `${server.baseUrl}/media`, secrets });
  const expiresAt = new Date(Date.now() - 60_000);
  return [good, signer.sign({ objectKey: 'mem/audio.wav', contentType: 'audio/wav', expiresAt })];
}

/** Sends the lines of a request, and reads the response. */
function ask({ baseUrl }: RunningServe, request: string): Promise<string> {
  return exchange(baseUrl, `${request}\r\nHost: a\r\nConnection: close\r\n\r\n`);
}

function requestIdOf(answer: string): string | undefined {
  return /x-request-id: (\S+)/i.exec(answer)?.[1];
}

async function jsonLinesOf(server: RunningServe) {
  return (await linesOf(server)).map((line) => JSON.parse(line));
}

/** Returns the lines about requests. */
async function linesOf(server: RunningServe): Promise<string[]> {
  return (await allLinesOf(server)).filter((line) => !/"event":"(started|stopping)"/.test(line));
}

async function allLinesOf({ interrupt, result }: RunningServe): Promise<string[]> {
  interrupt('SIGTERM');
  const { stderr, code } = await result;
  expect(code).toBe(0);
  return stderr === '' ? [] : stderr.trimEnd().split('\n');
}
