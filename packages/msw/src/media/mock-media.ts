import { recordedMedia } from '@memory-read/fixtures';
import {
  type Clock,
  createHmacMediaSigner,
  createMediaHost,
  type MediaSecret,
  type MediaSource,
  type MediaUrlSigner,
  type StoredMemory,
} from '@memory-read/server';
import type { MockStore } from '../memories/mock-store.ts';
import { toMemoryRecord } from '../memories/to-memory-record.ts';

/** The storage of a mock, and the signer of its URLs. */
export interface MockMedia extends MediaUrlSigner {
  /** Returns the response to a request for a signed URL. With `changed`, the storage has another object. */
  fetch(request: Request, object?: 'changed'): Promise<Response>;
  /** Expires every URL that was signed so far. */
  expireAll(): void;
  /** Forgets that URLs were expired. */
  reset(): void;
}

const DAY_MS = 86_400_000;

/**
 * Signs URLs with a new secret after each expiry. Those of earlier secrets go to a host whose clock is a day ahead. It
 * answers as for any expired URL.
 */
export function createMockMedia({ store, mediaUrl, identity, clock, createRequestId }: MockMediaContext): MockMedia {
  const source = createMockMediaSource(store);
  const basePath = new URL(mediaUrl).pathname.replace(/\/$/, '');
  const tomorrow: Clock = { now: () => new Date(clock.now().getTime() + DAY_MS) };
  /** Returns the host of a secret. That of the changed objects is created when a fault needs it. */
  const hostsWith = (secret: MediaSecret, time: Clock) => {
    const hostOf = (objects: MediaSource) =>
      createMediaHost({ source: objects, secrets: [secret], basePath, clock: time, cors: true, createRequestId });
    const host = hostOf(source);
    return (object?: 'changed') => (object === undefined ? host : hostOf(changedSource(source)));
  };
  let expired = new Map<string, ReturnType<typeof hostsWith>>();
  let current = generation();

  function generation() {
    // Only the mock itself verifies its URLs.
    const secret = { id: `mock${expired.size || ''}`, secret: `a secret of nobody, for media of ${identity}` };
    return {
      secret,
      signer: createHmacMediaSigner({ baseUrl: mediaUrl, secrets: [secret] }),
      hostFor: hostsWith(secret, clock),
    };
  }

  return {
    sign: (object) => current.signer.sign(object),
    fetch(request, object) {
      const hostFor = expired.get(new URL(request.url).searchParams.get('key') ?? '') ?? current.hostFor;
      return hostFor(object).fetch(request);
    },
    expireAll() {
      expired.set(current.secret.id, hostsWith(current.secret, tomorrow));
      current = generation();
    },
    reset() {
      expired = new Map();
      current = generation();
    },
  };
}

interface MockMediaContext {
  store: MockStore;
  mediaUrl: string;
  /** The secret depends on it, so that no mock accepts a URL of another one. */
  identity: string;
  clock: Clock;
  createRequestId: (request: Request) => string;
}

/** Serves the media objects of all memories: the bytes of the test, or a computed recording of the right length. */
function createMockMediaSource(store: MockStore): MediaSource {
  return {
    async open(objectKey) {
      const found = store.findMedia(objectKey);
      if (found === undefined) return undefined;
      const memory = toMemoryRecord(store.find(found.memoryId) as StoredMemory);
      return store.ownMedia.get(objectKey) ?? recordedMedia(memory, found.kind);
    },
  };
}

/** Has another object in the place of each: one byte shorter, with no byte the same. */
function changedSource(source: MediaSource): MediaSource {
  return {
    async open(objectKey, options) {
      const object = await source.open(objectKey, options);
      if (object === undefined) return undefined;
      const size = Math.max(0, object.size - 1);
      return {
        size,
        etag: object.etag.replace(/"$/, '-changed"'),
        stream: (range = { start: 0, end: size - 1 }) =>
          object.stream(range).pipeThrough(new TransformStream(inverted)),
      };
    },
  };
}

const inverted: Transformer<Uint8Array, Uint8Array> = {
  transform: (chunk, controller) => controller.enqueue(chunk.map((byte) => byte ^ 0xff)),
};
