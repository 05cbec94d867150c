import { expect, test, vi } from 'vitest';

test('on Cloudflare Workers a loop never waits for a timer of another request', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  const { yieldToEventLoop } = await import('./yield-to-event-loop.ts');
  const end = performance.now() + 50;
  const answers = new Set<unknown>();
  while (performance.now() < end) answers.add(yieldToEventLoop());

  expect([...answers]).toEqual([undefined]);
});
