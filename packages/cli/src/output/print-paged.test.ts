import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
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
  const process = new TestProcess({ env: { TERM: 'xterm', MEMORY_READ_PAGER: 'head -n 3 > /dev/null' } });
  process.stdout.isTTY = true;
  let formatted = 0;
  const lines = {
    *[Symbol.iterator]() {
      for (let line = 0; line < 1_000_000; line += 1) {
        formatted += 1;
        yield `line ${line}\n`;
      }
    },
  };
  await printPaged(lines, { process }, new AbortController().signal);
  expect(formatted).toBeGreaterThan(20);
  expect(formatted).toBeLessThan(100_000);
});
