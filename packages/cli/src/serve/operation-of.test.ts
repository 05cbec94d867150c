import { expect, test } from 'vitest';
import { createOperationOf } from './operation-of.ts';

test.each([
  ['/v1/memories', 'listMemories'],
  ['/v1/memories/mem_1', 'getMemory'],
  ['/v1/memories/', null],
  ['/media/a/b.wav', 'media'],
  ['/media/', null],
  ['/readyz', 'readyz'],
  ['/', 'root'],
  ['/constructor', null],
  ['/v1/memories/../memories', null],
  ['/v1/memories/%2e', null],
  ['/x/%2E%2e/readyz', null],
  ['/..', null],
  ['/v1/memories/...', 'getMemory'],
  ['/v1/memories/..%2Fx', 'getMemory'],
  ['*', null],
])('maps %s to %s, at the root and below the path of the public URL', (path, operation) => {
  expect(createOperationOf(undefined)(path)).toBe(operation);
  const below = createOperationOf('https://example.com/api');
  expect(below(path)).toBe(operation);
  if (path.startsWith('/')) expect(below(`/api${path}`)).toBe(operation);
  expect(below(`/apis${path}`)).toBeNull();
});

test('maps the path of the public URL itself to the root', () => {
  expect(createOperationOf('https://example.com/api')('/api')).toBe('root');
});
