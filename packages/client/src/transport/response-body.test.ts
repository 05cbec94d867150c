import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test } from 'vitest';
import { MemoryClient } from '../index.ts';

// Two to four bytes a character, so that chunks end within characters.
const memories = Array.from({ length: 1_300 }, (_, index) =>
  sampleListedMemory({ id: `mem_${index}`, name: `é€😀${'ü'.repeat(index)}` }),
);
const body = new TextEncoder().encode(JSON.stringify(memories));

/** Serves the body in chunks of these sizes; the last size repeats. With one buffer, a chunk overwrites the one before. */
function createClient(sizes: readonly number[], type: 'bytes' | 'view' | 'one buffer', maxResponseBytes?: number) {
  const shared = new Uint8Array(Math.max(...sizes));
  let start = 0;
  let count = 0;
  const pull = (controller: ReadableStreamDefaultController<ArrayBufferView>) => {
    const part = body.subarray(start, start + (sizes[Math.min(count, sizes.length - 1)] as number));
    if (start === body.length) return controller.close();
    start += part.length;
    count += 1;
    if (type === 'bytes') return controller.enqueue(part);
    if (type === 'view') return controller.enqueue(new DataView(part.buffer, part.byteOffset, part.byteLength));
    shared.set(part);
    controller.enqueue(shared.subarray(0, part.length));
  };
  const fetch = async () =>
    new Response(new ReadableStream({ pull }, { highWaterMark: 0 }) as ReadableStream<Uint8Array<ArrayBuffer>>);
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', fetch, maxResponseBytes });
}

const KIB = 1024;

test.each([
  ['one chunk', [body.length], 'bytes'],
  ['chunks that end within characters', [1_001], 'bytes'],
  ['empty chunks', [0, 7, 0, 64 * KIB], 'bytes'],
  ['batches that are exactly full', [64 * KIB], 'bytes'],
  ['chunks as large as a batch', [256 * KIB], 'bytes'],
  ['a chunk that is larger than a batch', [1_024 * KIB, 5, 256 * KIB + 1, 9], 'bytes'],
  ['views of other types', [1_001], 'view'],
  ['a stream that uses its memory again', [64 * KIB + 1], 'one buffer'],
] as const)('a long body of %s arrives whole', async (_title, sizes, type) => {
  expect(body.length).toBeGreaterThan(6 * 256 * KIB);
  expect(await createClient(sizes, type).listMemories()).toEqual(memories);
});

test.each([
  [body.length, undefined],
  [body.length - 1, 'too_large'],
])('a limit of %d bytes counts all chunks', async (limit, reason) => {
  const [ended] = await Promise.allSettled([createClient([64 * KIB], 'bytes', limit).listMemories()]);
  expect(ended).toMatchObject(reason ? { reason: { reason } } : { value: memories });
});
