import { MemoryClient } from '@memory-read/client';
import { saveMedia } from '@memory-read/client/node';
import { keepPlaying } from '@memory-read/client/playback';
import { memoriesQuery } from '@memory-read/client/query';
import { runConformance } from '@memory-read/conformance';
import { judgeClient } from '@memory-read/conformance/clients';
import { createMemories } from '@memory-read/fixtures';
import { showcaseMemories } from '@memory-read/fixtures/showcase';
import { createLiveSource, createMemoryMcpServer, createMirrorSource } from '@memory-read/mcp';
import { serveMcpHttp, serveMcpStdio } from '@memory-read/mcp/node';
import { createWebhookSender, openMirror } from '@memory-read/mirror';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { setupMemoryMock } from '@memory-read/msw/node';
import { startMockServer } from '@memory-read/msw/server';
import {
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createInMemoryStore,
  createMediaHost,
  createMemoryApi,
} from '@memory-read/server';
import { createDirectoryMediaSource, serve } from '@memory-read/server/node';
import {
  checkPostgresSchema,
  createPostgresStore,
  migratePostgresStore,
  watchPostgresReplicas,
} from '@memory-read/server/postgres';
import { createS3MediaSigner } from '@memory-read/server/s3';
import { openSqliteStore } from '@memory-read/server/sqlite';
import { expect, test, vi } from 'vitest';

const client = new MemoryClient({ apiKey: 'k', baseUrl: 'https://a.test', fetch: () => Promise.reject(new Error()) });
const element = { play() {} } as never;

test.each<[name: string, call: (wrong: never) => unknown]>([
  ['MemoryClient', (wrong) => new MemoryClient(wrong)],
  ['listMemories', (wrong) => client.listMemories(wrong)],
  ['saveMedia', (wrong) => saveMedia(client, 'mem_1', 'audio', 'file', wrong)],
  ['keepPlaying', (wrong) => keepPlaying(element, () => null, wrong)],
  ['memoriesQuery', (wrong) => memoriesQuery(client, wrong)],
  ['createMemoryApi', createMemoryApi],
  ['createHmacMediaSigner', createHmacMediaSigner],
  ['createMediaHost', createMediaHost],
  ['apiKeyAuthenticator', (wrong) => apiKeyAuthenticator(createInMemoryStore(), wrong)],
  ['serve', serve],
  ['createDirectoryMediaSource', createDirectoryMediaSource],
  ['openSqliteStore', openSqliteStore],
  ['createPostgresStore', createPostgresStore],
  ['checkPostgresSchema', checkPostgresSchema],
  ['migratePostgresStore', migratePostgresStore],
  ['watchPostgresReplicas', watchPostgresReplicas],
  ['createS3MediaSigner', createS3MediaSigner],
  ['createMemories', createMemories],
  ['showcaseMemories', showcaseMemories],
  ['createMemoryMock', createMemoryMock],
  ['setupMemoryMock', setupMemoryMock],
  ['startMockServer', startMockServer],
  ['runConformance', runConformance],
  ['judgeClient', judgeClient],
  ['openMirror', openMirror],
  ['createWebhookSender', createWebhookSender],
  ['createMemoryMcpServer', createMemoryMcpServer],
  ['createLiveSource', (wrong) => createLiveSource(client, wrong)],
  ['createMirrorSource', (wrong) => createMirrorSource({} as never, wrong)],
  ['serveMcpHttp', serveMcpHttp],
  ['serveMcpStdio', serveMcpStdio],
])('%s refuses an option that it does not have, whatever the others are, and does nothing', async (_, call) => {
  const written = vi.spyOn(process.stdout, 'write');
  const failure = await Promise.resolve()
    .then(() => call({ tokens: 'PRIVATE' } as never))
    .then(() => undefined)
    .catch((error: unknown) => error);
  expect(written).not.toHaveBeenCalled();
  expect(String(failure)).toMatch(
    /Failed to [\w ]+: the option "tokens" is not supported\. (Use|Leave|Pass|Remove) .+\.$/,
  );
  expect(String(failure)).not.toContain('PRIVATE');
});

test('a token of the assistant server is not left out because of its name', async () => {
  const source = createLiveSource(client);
  await expect(serveMcpHttp({ source, tokens: 'a token of 16 characters' } as never)).rejects.toThrow(
    /Use one of: token, /,
  );
});

test.each<[object, string]>([
  [{ port: 'PRIVATE' }, 'port is of type string, which is not a whole number from 0 to 65,535'],
  [{ port: 65_536 }, 'port is 65536, which is not a whole number'],
  [{ maxRequestBytes: 0 }, 'maxRequestBytes is 0, which is not a whole number'],
  [{ allowedHosts: 'app.example.com' }, 'allowedHosts is not an array'],
  [{ allowedOrigins: 'https://a.test' }, 'allowedOrigins is not an array'],
  [{ source: undefined }, 'source has no function search'],
  [{ source: client }, 'source has no function search'],
])('the assistant server does not listen with %j', async (wrong, reason) => {
  const source = createLiveSource(client);
  const message = expect.stringMatching(new RegExp(`^Failed to [\\w ]+: ${reason}.*\\. Pass .+\\.$`));
  await expect(serveMcpHttp({ source, ...wrong } as never)).rejects.toMatchObject({ code: 'configuration', message });
});

test('a refused start leaves the console as it was', () => {
  const { log } = console;
  expect(() => serveMcpStdio({ sorce: 1 } as never)).toThrow(/Use one of: source, /);
  expect(console.log).toBe(log);
});

test('a key with a misspelt date, which would never expire, is not stored', async () => {
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'ada' });
  const { keyId, keyHash } = createApiKey();
  for (const wrong of [{ expiresat: new Date(0) }, { active: 'false' }])
    await expect(store.putApiKey({ keyId, keyHash, userId: 'ada', ...wrong } as never)).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
  expect(await store.listApiKeys()).toEqual([]);
});
