// #region receiver
import express from 'express';
import { receive } from './webhook-receiver.ts';

export const app = express();
// The signature covers the bytes of the body, so `express.json()` must not run before it.
app.post('/events', express.raw({ type: 'application/json', limit: '1mb' }), async (request, response) => {
  response.sendStatus(await receive(request.body, request.headers as Record<string, string>));
});
// #endregion
