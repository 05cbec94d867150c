import express, { type Request as ExpressRequest, type Response as ExpressResponse, type NextFunction } from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import Koa from 'koa';
import { client, responseFor } from './visitor-response.ts';

// #region express
export const expressApp = express();
expressApp.get('/memories/:id', async ({ params }, response) => {
  response.json(await client.getMemory(params.id));
});
// Express takes a function with four parameters for an error handler.
expressApp.use((error: unknown, _request: ExpressRequest, response: ExpressResponse, _next: NextFunction) => {
  const { status, headers, body } = responseFor(error);
  response.status(status).set(headers).json(body);
});
// #endregion

export const fastifyApp = fastify();
fastifyApp.get<{ Params: { id: string } }>('/memories/:id', ({ params }) => client.getMemory(params.id));
fastifyApp.setErrorHandler((error, _request, reply) => {
  const { status, headers, body } = responseFor(error);
  return reply.status(status).headers(headers).send(body);
});

export const koaApp = new Koa();
koaApp.use(async (context, next) => {
  try {
    await next();
  } catch (error) {
    const { status, headers, body } = responseFor(error);
    context.status = status;
    context.set(headers);
    context.body = body;
  }
});
koaApp.use(async (context) => {
  context.body = await client.getMemory(context.path.slice('/memories/'.length));
});

export const honoApp = new Hono();
honoApp.get('/memories/:id', async (context) => context.json(await client.getMemory(context.req.param('id'))));
honoApp.onError((error, context) => {
  const { status, headers, body } = responseFor(error);
  return context.json(body, status, headers);
});

export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  try {
    return Response.json(await client.getMemory((await params).id));
  } catch (error) {
    const { status, headers, body } = responseFor(error);
    return Response.json(body, { status, headers });
  }
}
