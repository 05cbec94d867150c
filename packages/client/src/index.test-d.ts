import {
  type AnyMemoryApiError,
  isMemoryApiError,
  type ListedMemory,
  type MediaDownload,
  type MediaUrl,
  type Memory,
  type MemoryApiError,
  MemoryClient,
  type MemoryClientOptions,
  type MemoryWatch,
  type WatchState,
} from './index.ts';

declare const memory: Memory;
declare const error: unknown;
declare const client: MemoryClient;

// A typo does not compile, although unknown fields pass at run time.
// @ts-expect-error: there is no such field
memory.titel;
// @ts-expect-error: null has to be dealt with
memory.transcript.segments;

// A switch over the code of every error is exhaustive, and narrows.
export function describe(failure: AnyMemoryApiError): string | number | undefined {
  switch (failure.code) {
    case 'configuration':
    case 'connection':
      return failure.message;
    case 'authentication':
      return failure.reason;
    case 'not_found':
    case 'processing_timeout':
    case 'media_unavailable':
      return failure.memoryId;
    case 'invalid_request':
      return failure.issues[0]?.message;
    case 'rate_limited':
      return failure.retryAfterMs;
    case 'server':
    case 'unexpected_response':
    case 'media_download':
      return failure.status;
    case 'invalid_response':
    case 'media_playback':
      return failure.reason;
    case 'timeout':
      return failure.limit;
  }
}

if (isMemoryApiError(error)) {
  const base: MemoryApiError = error;
  if (error.code === 'not_found') error.memoryId satisfies string;
  // @ts-expect-error: not every error has one
  error.memoryId;
  base.requestId satisfies string | undefined;
}

client.listMemories() satisfies Promise<ListedMemory[]>;
client.mediaUrl('mem_1', 'audio', { minimumLifetime: 1, retries: 0 }) satisfies Promise<MediaUrl | null>;
client.openMedia('mem_1', 'preview_image', { totalTimeout: false }) satisfies Promise<MediaDownload>;
// @ts-expect-error: there is no such kind
void client.openMedia('mem_1', 'image');
// @ts-expect-error: neither may be left out of where to start
void client.openMedia('mem_1', 'audio', { start: { byte: 5 } });
client.getMemory('mem_1', { signal: AbortSignal.abort(), timeout: false }) satisfies Promise<Memory>;
// @ts-expect-error: an id is a string
void client.getMemory(7);
// @ts-expect-error: a client is one account
void client.listMemories({ apiKey: 'sk_test' });
class OwnClient extends MemoryClient {
  readonly own = true;
}
new OwnClient().withOptions({}) satisfies OwnClient;

client.waitForMemory('mem_1', { maxWait: false, firstInterval: undefined }) satisfies Promise<Memory>;
// @ts-expect-error: a look is one attempt
void client.waitForMemory('mem_1', { retries: 2 });
// @ts-expect-error: a wait has its maxWait instead
client.waitForMemories(['mem_1'], { totalTimeout: 1_000 });
for await (const outcome of client.waitForMemories(new Set(['mem_1']))) {
  if (outcome.status === 'processed') outcome.memory satisfies Memory;
  else outcome.error satisfies AnyMemoryApiError;
  // @ts-expect-error: only where it was processed
  outcome.memory;
}
const watch: MemoryWatch = client.watchMemories({ state: undefined, initial: 'skip', interval: 60_000 });
for await (const change of watch) {
  if (change.type === 'changed') change.fields satisfies readonly string[];
  // @ts-expect-error: of what is missing only the id is known
  change.memory;
}
watch.state satisfies WatchState;
// @ts-expect-error: the state is the watch's own
watch.state = { version: 1, account: null, memories: [] };

// Every optional property accepts undefined.
export const undefinedOptions: MemoryClientOptions = {
  baseUrl: undefined,
  apiKey: undefined,
  auth: undefined,
  fetch: undefined,
  timeout: undefined,
  hooks: { onEnd: undefined },
};
// A function that takes a Request is accepted as fetch, and so is the global fetch.
export const sending = [async (_request: Request) => new Response(), globalThis.fetch].map(
  (fetch) => new MemoryClient({ fetch }),
);
