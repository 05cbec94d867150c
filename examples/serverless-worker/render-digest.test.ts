import { MemoryClient } from '@memory-read/client';
import { createMemoryMock } from '@memory-read/msw/fetch';
import { expect, test } from 'vitest';
import { renderDigest } from './render-digest.ts';

const now = new Date('2026-01-08T12:00:00Z');

test('a memory of seven days ago is no longer in it, and the newest comes first', async () => {
  const memories = await listed(
    { name: 'Old', started_at: '2026-01-01T12:00:00Z' },
    { name: 'First', started_at: '2026-01-01T12:00:01Z' },
    { name: 'Last', started_at: '2026-01-08T11:00:00Z' },
  );
  const digest = renderDigest(memories, now);
  expect(digest).toMatch(/^The last seven days: 2 memories\n\nLast \(2026-01-08 11:00, \d+ min\)\n[\s\S]+\nFirst \(/);
  expect(digest).not.toContain('Old');
});

test('it says where there is nothing, and why', async () => {
  const silent = { name: 'Silent', started_at: '2026-01-08T11:00:00Z', summary: null };
  expect(renderDigest([], now)).toBe('The last seven days: 0 memories\n');
  expect(renderDigest(await listed(silent), now)).toContain('1 memory\n');
  expect(renderDigest(await listed(silent), now)).toContain('  Nothing to sum up.\n');
  expect(renderDigest(await listed({ ...silent, is_processing: true }), now)).toContain('  Still being processed.\n');
});

test('a name cannot pass for another memory', async () => {
  const memories = await listed({ name: 'A\n\nB (2026-01-08 11:00, 5 min)', started_at: '2026-01-08T11:00:00Z' });
  expect(renderDigest(memories, now).split('\n')[2]).toMatch(/^A B \(/);
});

function listed(...memories: Parameters<ReturnType<typeof createMemoryMock>['memories']['add']>[0][]) {
  const { baseUrl, apiKey, fetch, memories: stored } = createMemoryMock({ memories: [], now });
  for (const memory of memories) stored.add(memory);
  return new MemoryClient({ baseUrl, apiKey, fetch }).listMemories();
}
