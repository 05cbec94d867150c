import { isMemoryApiError, type MemoryClient } from '@memory-read/client';
import { expect, test } from 'vitest';
import { runCounts } from '../run-counts.ts';
import { createRandomBytes } from './random-bytes.ts';
import { startMediaApi } from './start-media-api.ts';
import { type Plan, startStorage } from './start-storage.ts';

const size = 5_000_000;
const objects = [1, 2].map((version) => ({ bytes: createRandomBytes(size, version), etag: `"v${version}"` }));
const noBytes = new Uint8Array();

test('5 MB over HTTP arrive as they are through cuts, expiries, stalls and changes, or the error is a typed one', async () => {
  const outcomes = { whole: 0, failed: 0 };
  for (let run = 1; run <= runCounts.faultyDownloads.full; run += 1) {
    const random = createRandom(run);
    const isUnstable = run % 4 === 0;
    await using storage = await startStorage(objects[0] as (typeof objects)[0]);
    await using api = await startMediaApi({ sign: () => storage.sign() });
    storage.plan = () => {
      if (isUnstable && random() < 0.3) storage.object = objects[1] as (typeof objects)[0];
      if (random() < 0.3) storage.expire();
      return createPlan(isUnstable, random);
    };
    const isWhole = await download(api.createClient(), run);
    outcomes[isWhole ? 'whole' : 'failed'] += 1;
  }
  expect(outcomes.whole).toBeGreaterThan(runCounts.faultyDownloads.full / 3);
}, 300_000);

async function download(client: MemoryClient, seed: number): Promise<boolean> {
  const chunks: Uint8Array[] = [];
  let expected: Uint8Array = noBytes;
  let failure: unknown;
  try {
    const { body, etag } = await client.openMedia('mem_1', 'audio', { stallTimeout: 250 });
    expected = objects.find((object) => object.etag === etag)?.bytes ?? noBytes;
    for await (const chunk of body) chunks.push(chunk);
  } catch (error) {
    if (!isMemoryApiError(error)) throw error;
    failure = error;
  }
  const delivered = Buffer.concat(chunks);
  const { length } = failure === undefined ? expected : delivered;
  // What is delivered is the beginning of one object, also where the download fails.
  expect(delivered.equals(expected.subarray(0, length)), `seed ${seed}`).toBe(true);
  if (failure === undefined) return true;
  expect(failure, `seed ${seed}`).toMatchObject({ code: 'media_download', bytesReceived: length });
  return false;
}

function createPlan(ignoresIfRange: boolean, random: () => number): Plan {
  const place = Math.floor(random() * 2_500_000);
  const plans: Plan[] = [{ cutAfter: place }, { cutAfter: place }, { stallAfter: place }, { status: 503 }, {}];
  return { ...plans[Math.floor(random() * plans.length)], ignoresIfRange };
}

/** Numbers from 0, below 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
