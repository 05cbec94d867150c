import { expect, test } from 'vitest';
import { takePage } from './take-page.ts';

test('a page ends before what does not fit, and is never empty', () => {
  expect(takePage(['a', 'b', 'c'], 8)).toEqual(['a', 'b']);
  expect(takePage(['longer than a page', 'b'], 8)).toEqual(['longer than a page']);
  expect(takePage([], 8)).toEqual([]);
});
