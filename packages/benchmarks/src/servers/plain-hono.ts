/** Plain Hono over an SQLite file, for one memory: the same lookups, hash and signatures. */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { announce } from '../loopback/listen.ts';
import { readMemory } from './backend.ts';

const app = new Hono();
app.get('/v1/memories/:id', async (context) => {
  const text = await readMemory(context.req.header('authorization') ?? '', context.req.path);
  return text === undefined ? context.notFound() : context.body(text, 200, { 'content-type': 'application/json' });
});
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => announce(port));
