// #region receiver
import type { MemoryEvent } from '@memory-read/mirror';
import { Hono } from 'hono';
import { Webhook } from 'standardwebhooks';
import { handle } from './webhook-receiver.ts';

const webhook = new Webhook(process.env.MEMORY_READ_WEBHOOK_SECRET ?? '');
const seen = new Set<string>();

export const app = new Hono();
app.post('/events', async (context) => {
  const event = webhook.verify(await context.req.text(), context.req.header()) as MemoryEvent;
  if (!seen.has(event.id)) await handle(event);
  seen.add(event.id);
  return context.body(null, 204);
});
// #endregion
