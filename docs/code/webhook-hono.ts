// #region receiver
import { Hono } from 'hono';
import { receive } from './webhook-receiver.ts';

export const app = new Hono();
app.post('/events', async (context) => {
  const status = await receive(await context.req.text(), context.req.header());
  return new Response(null, { status });
});
// #endregion
