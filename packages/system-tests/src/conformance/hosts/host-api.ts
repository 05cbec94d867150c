import { sampleMedia } from '@memory-read/fixtures';
import {
  type ApiKeyStore,
  apiKeyAuthenticator,
  createHmacMediaSigner,
  createMediaHost,
  createMemoryApi,
  hashApiKey,
  type MediaSource,
  type MemoryStore,
  type MemoryStoreAdmin,
} from '@memory-read/server';
import { hostKeys } from './host-keys.ts';
import { hostRecords } from './host-records.ts';

/** What the server needs of a store here. */
export type HostStore = MemoryStore & MemoryStoreAdmin & ApiKeyStore;

type Fetch = (request: Request) => Promise<Response>;

/** The server and its media over a store, which is filled when the first request comes: only then its origin is known. */
export function hostApi(store: HostStore): Fetch {
  let ready: Promise<Fetch> | undefined;
  return async (request) => {
    ready ??= fill(store).then(() => createApi(store, new URL(request.url).origin));
    return (await ready)(request);
  };
}

/** Two accounts with memories of every kind, one without, and a key of each; and a key that is revoked. */
async function fill(store: HostStore): Promise<void> {
  const records = hostRecords();
  for (const userId of ['ada', 'grace', 'nobody']) await store.putAccount({ userId });
  await store.putMemories('ada', records.slice(0, 20));
  await store.putMemories('grace', records.slice(20));
  const owners = { apiKey: 'ada', otherAccountApiKey: 'grace', emptyAccountApiKey: 'nobody', inactiveApiKey: 'ada' };
  for (const [name, key] of Object.entries(hostKeys)) {
    const userId = owners[name as keyof typeof owners];
    await store.putApiKey({ keyId: name, keyHash: hashApiKey(key), userId });
  }
  await store.revokeApiKey('inactiveApiKey');
}

const secrets = [{ id: 'a', secret: 'sixteen-bytes-at-least' }];

function createApi(store: HostStore, origin: string): Fetch {
  const mediaSigner = createHmacMediaSigner({ baseUrl: `${origin}/media`, secrets });
  const mediaHost = createMediaHost({ source: createSource(), secrets, basePath: '/media' });
  const api = createMemoryApi({ store, authenticate: apiKeyAuthenticator(store), mediaSigner });
  return async (request) => {
    const isMedia = new URL(request.url).pathname.startsWith('/media/');
    return (isMedia ? mediaHost : api).fetch(request);
  };
}

function createSource(): MediaSource {
  const { bytes } = sampleMedia('audio');
  return {
    open: async () => ({
      size: bytes.length,
      etag: '"1"',
      stream: (range) => new Blob([range ? bytes.slice(range.start, range.end + 1) : bytes]).stream(),
    }),
  };
}
