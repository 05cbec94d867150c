import { createWebhookSender, type MemoryEvent } from '@memory-read/mirror';
import { listen } from '@memory-read/test-kit/listen';
import { expect, test, vi } from 'vitest';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
vi.stubEnv('MEMORY_READ_WEBHOOK_SECRET', secret);
const { app: expressApp } = await import('@memory-read/guide-code/webhook-express');
const { app: honoApp } = await import('@memory-read/guide-code/webhook-hono');

const deliver = (event: MemoryEvent, options: { url: string; secret: string; fetch?: typeof fetch }) =>
  createWebhookSender(options)(event, {
    attempt: 1,
    // A parser and a serializer of JSON would change these bytes.
    body: JSON.stringify(event).replace('"Küche"', '"K\\u00fcche"'),
    signal: new AbortController().signal,
  });

const receivers = [
  ['Express', (url: string) => ({ url: `${url}/events` })],
  [
    'Hono',
    () => ({
      url: 'https://example.com/events',
      fetch: async (...request: Parameters<typeof fetch>) => honoApp.fetch(new Request(...request)),
    }),
  ],
] as const;

test.each(receivers)('%s handles a signed event once, and refuses all others', async (name, target) => {
  await using server = await listen(expressApp);
  const options = { ...target(server.url), secret };
  const event: MemoryEvent = {
    id: `evt_${name}`,
    type: 'memory.processed',
    timestamp: '2026-11-20T10:00:00.000Z',
    data: { memory_id: 'Küche', fields: [] },
  };
  const log = vi.spyOn(console, 'log').mockReturnValue();

  const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  await expect(deliver(event, { ...options, secret: other })).rejects.toThrow('answered 401');
  expect(log).not.toHaveBeenCalled();

  await deliver(event, options);
  await deliver(event, options);
  expect(log.mock.calls).toEqual([['memory.processed', undefined]]);
});
