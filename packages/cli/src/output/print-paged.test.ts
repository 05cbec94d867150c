import { expect, onTestFinished, test, vi } from 'vitest';
import { pagerOf, printPaged } from './print-paged.ts';

test.each([
  [{}, 'less'],
  [{ PAGER: 'more' }, 'more'],
  [{ PAGER: 'more', MEMORY_READ_PAGER: 'less -S' }, 'less -S'],
  [{ PAGER: 'more', MEMORY_READ_PAGER: '' }, undefined],
  [{ PAGER: ' ' }, undefined],
  [{ PAGER: 'cat' }, undefined],
  [{ TERM: 'dumb' }, undefined],
])('starts with %j the pager %s', (env, command) => {
  expect(pagerOf(env)).toBe(command);
});

test('sends the first page to the pager before the last line is formatted', async () => {
  const { isTTY } = process.stdout;
  onTestFinished(() => void Object.assign(process.stdout, { isTTY }));
  process.stdout.isTTY = true;
  vi.stubEnv('TERM', 'xterm');
  vi.stubEnv('MEMORY_READ_PAGER', 'head -n 3 > /dev/null');
  let formatted = 0;
  const lines = {
    *[Symbol.iterator]() {
      for (let line = 0; line < 1_000_000; line += 1) {
        formatted += 1;
        yield `line ${line}\n`;
      }
    },
  };
  await printPaged(lines, {}, new AbortController().signal);
  expect(formatted).toBeGreaterThan(20);
  expect(formatted).toBeLessThan(100_000);
});
