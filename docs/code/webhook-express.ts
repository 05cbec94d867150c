// #region receiver
import type { MemoryEvent } from '@memory-read/mirror';
import express from 'express';
import { Webhook } from 'standardwebhooks';
import { handle } from './webhook-receiver.ts';

const webhook = new Webhook(process.env.MEMORY_READ_WEBHOOK_SECRET ?? '');
const seen = new Set<string>();

export const app = express();
// The signature covers the bytes of the body, so `express.json()` must not run before it.
app.post('/events', express.raw({ type: 'application/json', limit: '1mb' }), async (request, response) => {
  const event = webhook.verify(request.body, request.headers as Record<string, string>) as MemoryEvent;
  if (!seen.has(event.id)) await handle(event);
  seen.add(event.id);
  response.sendStatus(204);
});
// #endregion
