/** The reference server as a conformance run wants it: two accounts, an empty one, a key that is revoked, and media. */
import { createMemories, sampleMedia } from '@memory-read/fixtures';
import {
  apiKeyAuthenticator,
  createHmacMediaSigner,
  createInMemoryStore,
  createMediaHost,
  createMemoryApi,
  hashApiKey,
  type MediaSource,
} from '@memory-read/server';
import { serve } from '@memory-read/server/node';
import { announce } from '../loopback/announce.ts';
import { conformanceKeys } from '../memories/conformance-keys.ts';
import { mediaSecrets } from '../memories/media-secrets.ts';

const store = createInMemoryStore();
const now = new Date();
for (const [name, key] of Object.entries(conformanceKeys)) {
  const userId = `user_${name}`;
  await store.putAccount({ userId });
  await store.putApiKey({ keyId: name, keyHash: hashApiKey(key), userId, active: name !== 'inactiveApiKey' });
  if (name !== 'emptyAccountApiKey') await store.putMemories(userId, createMemories({ count: 12, seed: name, now }));
}

const { bytes } = sampleMedia('audio');
const source: MediaSource = {
  open: async () => ({ size: bytes.length, etag: '"sample"', stream: (range) => streamOf(bytes, range) }),
};
const media = createMediaHost({ source, secrets: mediaSecrets, basePath: '/media' });
let answerApi: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
const { url } = await serve({
  fetch: (request) =>
    (new URL(request.url).pathname.startsWith('/media/') ? media : { fetch: answerApi }).fetch(request),
  port: 0,
});
const mediaSigner = createHmacMediaSigner({ baseUrl: `${url}/media`, secrets: mediaSecrets });
answerApi = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner }).fetch;
announce(url);

function streamOf(whole: Uint8Array, range = { start: 0, end: whole.length - 1 }): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(whole.slice(range.start, range.end + 1));
      controller.close();
    },
  });
}
