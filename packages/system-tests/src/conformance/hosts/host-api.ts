import { sampleMedia } from '@memory-read/fixtures';
import { hashApiKey } from '@memory-read/server';
import { createMemoryService, mediaFrom, type WholeStore } from '@memory-read/test-kit/memory-service';
import { hostKeys, hostRecords } from './host-records.ts';

type Fetch = (request: Request) => Promise<Response>;

/** The server and its media over a store, which is filled when the first request comes: only then its origin is known. */
export function hostApi(store: WholeStore): Fetch {
  let ready: Promise<Fetch> | undefined;
  return async (request) => {
    ready ??= fill(store).then(() => createMemoryService(store, new URL(request.url).origin, { source }).fetch);
    return (await ready)(request);
  };
}

/** Two accounts with memories of every kind, one without, and a key of each; and a key that is revoked. */
async function fill(store: WholeStore): Promise<void> {
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

const source = mediaFrom(() => sampleMedia('audio').bytes);
