import { expect, test } from 'vitest';
import { pagerOf } from './print-paged.ts';

test.each([
  [{}, 'less'],
  [{ PAGER: 'more' }, 'more'],
  [{ PAGER: 'more', MEMORY_READ_PAGER: 'less -S' }, 'less -S'],
  [{ PAGER: 'more', MEMORY_READ_PAGER: '' }, undefined],
  [{ PAGER: ' ' }, undefined],
  [{ PAGER: 'cat' }, undefined],
  [{ TERM: 'dumb' }, undefined],
])('with %j the pager is %s', (env, command) => {
  expect(pagerOf(env)).toBe(command);
});
