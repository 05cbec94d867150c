import { countTurns } from '@memory-read/test-kit/count-turns';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { expect, test, vi } from 'vitest';
import { createDigest } from './digest/digest.ts';
import { digestToMarkdown } from './digest/write-digest.ts';
import { printPaged } from './output/print-paged.ts';
import { TestProcess } from './testing/test-process.ts';

// As if each round of a loop had used up its turn.
vi.mock(import('@memory-read/contract/event-loop'), async (original) => ({
  ...(await original()),
  yieldToEventLoop: () => new Promise((resolve) => void setImmediate(resolve)),
}));

const MEMORIES = 100;
const ids = Array.from({ length: MEMORIES }, (_, index) => `mem_${index}`);

test('a digest: the event loop turns for each memory', async () => {
  const digest = createDigest(
    ids.map((id) => sampleMemory({ id })),
    {},
  );

  expect(await countTurns(() => digestToMarkdown(digest, 'Memories'))).toBeGreaterThanOrEqual(MEMORIES);
});

test('a list: the event loop turns for each line, and an interruption ends it', async () => {
  const interruption = new AbortController();
  const lines = function* () {
    for (const id of ids) {
      if (id === 'mem_50') setImmediate(() => interruption.abort(new Error('Interrupted.')));
      yield `${id}\n`;
    }
  };
  const process = new TestProcess();
  let printed: Promise<void> | undefined;
  const turns = await countTurns(() => {
    printed = printPaged(lines(), { process }, interruption.signal);
    return printed.catch(() => {});
  });

  await expect(printed).rejects.toThrow('Interrupted.');
  expect(turns).toBeGreaterThanOrEqual(50);
  expect(process.stdout.text).toBe('');
});
