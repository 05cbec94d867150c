import type { MemoryRecord } from '@memory-read/contract';
import {
  type ApiKeyStore,
  apiKeyAuthenticator,
  createApiKey,
  createHmacMediaSigner,
  createMediaHost,
  createMemoryApi,
  type MediaHostOptions,
  type MediaSource,
  type MediaUrlSigner,
  type MemoryStore,
  type MemoryStoreAdmin,
  type PlainResponse,
  type StoredMemory,
} from '@memory-read/server';

/** All ports of a store. */
export type WholeStore = MemoryStore & MemoryStoreAdmin & ApiKeyStore;

/** Adds an account with these memories, and returns an API key of it. */
export async function addAccount(
  store: MemoryStoreAdmin & Pick<ApiKeyStore, 'putApiKey'>,
  userId = 'user_1',
  records: Iterable<MemoryRecord> = [],
): Promise<ReturnType<typeof createApiKey>> {
  const created = createApiKey();
  await store.putAccount({ userId });
  await store.putMemories(userId, records);
  await store.putApiKey({ keyId: created.keyId, keyHash: created.keyHash, userId });
  return created;
}

/** Returns all memories of an account. */
export async function listAll(store: MemoryStore, userId = 'ada'): Promise<StoredMemory[]> {
  const listed: StoredMemory[] = [];
  for await (const memory of store.listMemories({ userId })) listed.push(memory);
  return listed;
}

const testSecrets = [{ id: 'test', secret: 'thirty-two-bytes-that-none-guess' }];

/** A `fetch` for the API and its media. */
export interface MemoryService {
  fetch(request: Request): Promise<Response>;
  /** The same for `serve`. */
  respond(request: Request): Promise<Response | PlainResponse>;
  readonly mediaSigner: MediaUrlSigner;
}

export interface MemoryServiceOptions extends Partial<Pick<MediaHostOptions, 'clock' | 'cors' | 'secrets'>> {
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Source of the media. Default: no media. */
  readonly source?: MediaSource;
  /** Base URL of the media. Default: `{url}/media`. */
  readonly mediaUrl?: string;
}

/** Returns the API over a store below a URL, and the host of its media. */
export function createMemoryService(
  store: MemoryStore & Pick<ApiKeyStore, 'findApiKey'>,
  url: string,
  { source = mediaFrom(() => undefined), mediaUrl = `${url}/media`, ...options }: MemoryServiceOptions = {},
): MemoryService {
  const { secrets = testSecrets, clock, onError, cors } = options;
  const mediaSigner = createHmacMediaSigner({ baseUrl: mediaUrl, secrets });
  const authenticate = apiKeyAuthenticator(store, { clock });
  const api = createMemoryApi({ store, authenticate, mediaSigner, basePath: pathOf(url), clock, onError });
  const media = createMediaHost({ source, secrets, basePath: pathOf(mediaUrl), clock, onError, cors });
  const isMedia = (request: Request) => new URL(request.url).pathname.startsWith(`${pathOf(mediaUrl)}/`);
  return {
    fetch: (request) => (isMedia(request) ? media : api).fetch(request),
    respond: (request) => (isMedia(request) ? media.fetch(request) : api.respond(request)),
    mediaSigner,
  };
}

/** Returns a media source over a function from object keys to bytes. */
export function mediaFrom(bytesOf: (objectKey: string) => Uint8Array<ArrayBuffer> | undefined): MediaSource {
  return {
    async open(objectKey) {
      const bytes = bytesOf(objectKey);
      return (
        bytes && {
          size: bytes.length,
          etag: `"${bytes.length}-${bytes[0]}"`,
          stream: (range) => new Blob([range ? bytes.slice(range.start, range.end + 1) : bytes]).stream(),
        }
      );
    },
  };
}

function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
