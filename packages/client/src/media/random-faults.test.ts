import { expect, test } from 'vitest';
import { isMemoryApiError } from '../index.ts';
import { answerWith, createBytes, type StorageObject } from '../testing/storage-object.ts';
import { useVirtualRuntime } from '../testing/virtual-runtime.ts';
import type { MediaDownload } from './media-options.ts';
import type { MediaSource } from './media-source.ts';
import { startDownload } from './open-media.ts';

const versions = [1, 2].map(
  (version): StorageObject => ({ bytes: createBytes(65_536, version), etag: `"v${version}"` }),
);

/** Returns numbers from 0 to below 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A storage with random faults, some of which violate HTTP. */
function createFaultySource(seed: number) {
  const random = createRandom(seed);
  const chance = (percent: number) => random() * 100 < percent;
  const [isUnstable, faults] = [chance(40), 30 + random() * 60];
  let version = 0;
  let isExpired = false;
  const { timers } = useVirtualRuntime({ random });
  const answer = (request: Request): Response => {
    if (isExpired || chance(faults / 4)) {
      isExpired = true;
      return new Response('<Error/>', { status: [400, 401, 403, 404, 410][Math.floor(random() * 5)] as number });
    }
    if (chance(faults / 5))
      return new Response('x', { status: [408, 429, 500, 503][Math.floor(random() * 4)] as number });
    if (chance(faults / 8)) throw new TypeError('fetch failed');
    if (isUnstable && chance(20)) version = 1;
    const object = versions[version] as StorageObject;
    const place = Math.floor(random() * 20_000);
    const fault = chance(faults) ? { [chance(50) ? 'cutAfter' : 'stallAfter']: place } : {};
    const chunkSize = 1 + Math.floor(random() * 20_000);
    return answerWith(isUnstable && chance(50) ? claimToBeCurrent(request, object) : request, {
      ...object,
      ...fault,
      chunkSize,
    });
  };
  const source: MediaSource = {
    allows: ({ hostname }) => hostname !== 'forbidden.example.com',
    maxRetryAfter: undefined,
    apiKeys: [],
    proxyHint: () => '',
    forgetMediaUrl: () => {},
    async readMediaUrl() {
      isExpired = false;
      return {
        mediaUrl: { url: 'https://storage.example.com/a', expiresAt: new Date(0) },
        userId: 'user_1',
        apiKey: undefined,
        context: () => ({}),
      };
    },
    fetch: async (request) => answer(request),
  };
  return { source, timers };
}

/** Responds like a storage that ignores `If-Range`, with the rest of another object. */
function claimToBeCurrent(request: Request, { etag }: StorageObject): Request {
  const claimed = new Request(request);
  if (claimed.headers.has('if-range')) claimed.headers.set('if-range', String(etag));
  return claimed;
}

test('after 1,000 series of cuts, expiries, stalls and changes, the bytes are those of one object, or the error is typed', async () => {
  const outcomes = { whole: 0, changed: 0, failed: 0 };
  for (let seed = 1; seed <= 1_000; seed += 1) {
    const { source, timers } = createFaultySource(seed);
    const received: Uint8Array[] = [];
    let download: MediaDownload | undefined;
    let failure: unknown;
    try {
      download = await startDownload(source, { memoryId: 'mem_1', kind: 'audio', site: new Error() }, {});
      for await (const chunk of download.body) received.push(chunk);
    } catch (error) {
      failure = error;
    }
    const delivered = Buffer.concat(received);
    const expected = versions.find(({ etag }) => etag === download?.etag)?.bytes ?? new Uint8Array();
    const length = failure === undefined ? expected.length : delivered.length;
    expect(delivered.equals(expected.subarray(0, length)), `seed ${seed}`).toBe(true);
    outcomes[outcomeOf(failure, { seed, bytesReceived: delivered.length })] += 1;
    expect(timers.size, `seed ${seed}`).toBe(0);
  }
  expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(30);
});

function outcomeOf(failure: unknown, { seed, bytesReceived }: { seed: number; bytesReceived: number }) {
  if (failure === undefined) return 'whole';
  if (!isMemoryApiError(failure) || failure.code !== 'media_download') {
    throw new Error(`seed ${seed}`, { cause: failure });
  }
  expect(failure.bytesReceived, `seed ${seed}`).toBe(bytesReceived);
  return failure.reason === 'changed' ? 'changed' : 'failed';
}
