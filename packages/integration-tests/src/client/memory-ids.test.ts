import { MemoryClient } from '@memory-read/client';
import { listen } from '@memory-read/test-kit/listen';
import { runCounts } from '@memory-read/test-kit/run-counts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

// Texts with a special meaning in paths, URLs, encodings, templates or regular expressions.
const troublesome = ". .. / \\ ? # % %2e %2F %zz ; : @ $& $' {memory_id}".split(' ');
const id = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc
    .array(fc.oneof(fc.constantFrom(...troublesome), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 8 })
    .map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: 'grapheme-ascii', minLength: 1_020, maxLength: 1_030 }),
);

test('every string is rejected before a request, or reaches the server as exactly one path segment', async () => {
  const requested: (string | undefined)[] = [];
  await using server = await listen(({ url }, response) => {
    requested.push(url);
    response.writeHead(422).end('{"detail":"Looked at"}');
  });
  const client = new MemoryClient({ baseUrl: `${server.url}/base`, apiKey: 'mrk_1', retries: 0 });
  const seen = { refused: 0, sent: 0 };
  await fc.assert(
    fc.asyncProperty(id, async (memoryId) => {
      requested.length = 0;
      const error: { code?: string } = await client.getMemory(memoryId).catch((reason) => reason);
      if (error.code === 'configuration') {
        seen.refused += 1;
        expect(requested).toEqual([]);
        return;
      }
      seen.sent += 1;
      expect(error.code).toBe('invalid_request');
      expect(requested).toHaveLength(1);
      const [, segment = ''] = requested[0]?.match(/^\/base\/v1\/memories\/([^/?#]+)$/) ?? [];
      expect(decodeURIComponent(segment)).toBe(memoryId);
    }),
    { numRuns: runCounts.memoryIds.short },
  );
  expect(Math.min(seen.refused, seen.sent)).toBeGreaterThan(20);
});
