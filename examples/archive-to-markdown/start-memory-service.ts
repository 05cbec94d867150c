import type { MemoryRecord } from '@memory-read/contract';
import { sampleMedia } from '@memory-read/fixtures';
import {
  createHmacMediaSigner,
  createInMemoryStore,
  createMediaHost,
  createMemoryApi,
  type MediaObject,
} from '@memory-read/server';
import { serve } from '@memory-read/server/node';

type Fault = 'unavailable' | 'missing' | 'cut';

/** The reference server over HTTP, with playable media and faults for tests. */
export interface MemoryService {
  url: string;
  apiKey: string;
  store: ReturnType<typeof createInMemoryStore>;
  /** Requested paths. */
  requests: string[];
  /** Faults by the beginning of a path. Each happens once. */
  faults: [path: string, fault: Fault][];
  put(...records: MemoryRecord[]): Promise<void>;
  close(): Promise<void>;
}

export async function startMemoryService(): Promise<MemoryService> {
  const apiKey = 'KEYSECRET_0123456789';
  const requests: string[] = [];
  const faults: MemoryService['faults'] = [];
  const store = createInMemoryStore();
  await store.putAccount({ userId: 'user_1' });
  const server = await serve({ fetch: answer, port: 0, onError: () => {} });
  const secrets = [{ id: 'test', secret: 'thirty-two-bytes-that-none-guess' }];
  const api = createMemoryApi({
    store,
    authenticate: async (key) => (key === apiKey ? { userId: 'user_1' } : undefined),
    mediaSigner: createHmacMediaSigner({ baseUrl: `${server.url}/media`, secrets }),
  });
  const mediaHost = createMediaHost({ source: { open: openSample }, secrets, basePath: '/media' });

  async function answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    requests.push(path);
    const index = faults.findIndex(([beginning]) => path.startsWith(beginning));
    const fault = index === -1 ? undefined : faults.splice(index, 1)[0]?.[1];
    if (fault === 'unavailable') return Response.json({ detail: 'Later' }, { status: 503 });
    if (fault === 'missing') return new Response(null, { status: 404 });
    const response = await (path.startsWith('/media/') ? mediaHost : api).fetch(request);
    return fault === 'cut' ? new Response(cut(response), response) : response;
  }

  return {
    url: server.url,
    apiKey,
    store,
    requests,
    faults,
    put: async (...records) => void (await store.putMemories('user_1', records)),
    close: () => server.close(),
  };
}

async function openSample(objectKey: string): Promise<MediaObject> {
  const kind = (['audio', 'video'] as const).find((name) => objectKey.includes(`/${name}.`)) ?? 'preview_image';
  const { bytes } = sampleMedia(kind);
  const stream = (range = { start: 0, end: bytes.length - 1 }) =>
    new Response(bytes.slice(range.start, range.end + 1)).body as ReadableStream<Uint8Array>;
  return { size: bytes.length, etag: `"${kind}"`, stream };
}

/** Sends the first thousand bytes, and then breaks the connection. */
function cut(response: Response): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      const bytes = new Uint8Array(await response.arrayBuffer());
      controller.enqueue(bytes.subarray(0, 1_000));
    },
    pull(controller) {
      controller.error(new Error('cut'));
    },
  });
}
