import { createServer } from 'node:http';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { passAudioOn, sendAudio, visitorSignal } from './send-audio.ts';
import { client, responseFor } from './visitor-response.ts';

export { passAudioOn };

const unknownType = 'application/octet-stream';

export const server = createServer((_request, response) => {
  sendAudio('mem_1', response).catch((error) => {
    const { status, headers, body } = responseFor(error);
    response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});

export const expressApp = express();
expressApp.get('/audio/:id', ({ params }, response) => sendAudio(params.id, response));

export const fastifyApp = fastify();
fastifyApp.get<{ Params: { id: string } }>('/audio/:id', async ({ params }, reply) => {
  const { body, contentType } = await client.openMedia(params.id, 'audio', { signal: visitorSignal(reply.raw) });
  return reply.type(contentType ?? unknownType).send(body);
});

export const koaApp = new Koa();
koaApp.use(async (context) => {
  const { body, contentType } = await client.openMedia('mem_1', 'audio', { signal: visitorSignal(context.res) });
  context.type = contentType ?? unknownType;
  context.body = body;
});

export const honoApp = new Hono();
honoApp.get('/audio/:id', (context) => passAudioOn(context.req.param('id'), context.req.raw));
