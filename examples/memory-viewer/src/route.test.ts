import { edgeCases } from '@memory-read/fixtures';
import { expect, test } from 'vitest';
import { formatRoute, parseRoute } from './route.ts';

test.each(Object.values(edgeCases).map(({ id }) => id))('the address of %s leads back to it', (id) => {
  expect(parseRoute(formatRoute(id))).toEqual({ memoryId: id, at: null });
  expect(parseRoute(formatRoute(id, 1500))).toEqual({ memoryId: id, at: 1500 });
});

test.each(['', '#', '#/', '#/%zz', '#/a/b'])('the address %j leads to the list', (hash) => {
  expect(parseRoute(hash).memoryId).toBeNull();
});
