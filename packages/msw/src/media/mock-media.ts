import { recordedMedia } from '@memory-read/fixtures';
import {
  type Clock,
  createHmacMediaSigner,
  createMediaHost,
  type MediaHost,
  type MediaSecret,
  type MediaSource,
  type MediaUrlSigner,
  type StoredMemory,
} from '@memory-read/server';
import type { MockStore } from '../memories/mock-store.ts';
import { toMemoryRecord } from '../memories/to-memory-record.ts';

/** The storage of a mock, and the signer of its URLs. */
export interface MockMedia extends MediaUrlSigner, MediaHost {
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
  const hostWith = (secret: MediaSecret, time: Clock) =>
    createMediaHost({ source, secrets: [secret], basePath, clock: time, cors: true, createRequestId });
  let expired = new Map<string, MediaHost>();
  let current = generation();

  function generation() {
    // Only the mock itself verifies its URLs.
    const secret = { id: `mock${expired.size || ''}`, secret: `a secret of nobody, for media of ${identity}` };
    return {
      secret,
      signer: createHmacMediaSigner({ baseUrl: mediaUrl, secrets: [secret] }),
      host: hostWith(secret, clock),
    };
  }

  return {
    sign: (object) => current.signer.sign(object),
    fetch(request) {
      const host = expired.get(new URL(request.url).searchParams.get('key') ?? '') ?? current.host;
      return host.fetch(request);
    },
    expireAll() {
      expired.set(current.secret.id, hostWith(current.secret, tomorrow));
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
