import { isMemoryApiError, MemoryClient } from '@memory-read/client';
import { isAllowed } from './is-allowed.ts';
import { problemOf } from './problem-of.ts';
import { renderDigest } from './render-digest.ts';

/** What the worker is given by its bindings. */
export interface Environment {
  readonly MEMORY_API_URL: string;
  readonly MEMORY_API_KEY: string;
  /** Token that callers of the worker must send. If it is not set, every request is rejected. */
  readonly ACCESS_TOKEN: string;
}

const headers = { 'cache-control': 'private, no-store', 'x-content-type-options': 'nosniff' };

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (!(await isAllowed(request, environment.ACCESS_TOKEN))) return problem(401, 'Invalid token');
    // A runtime of workers ties connections to the request that opened them, so a client serves one request.
    const client = new MemoryClient({
      baseUrl: environment.MEMORY_API_URL,
      apiKey: environment.MEMORY_API_KEY,
      totalTimeout: 20_000,
    });
    try {
      return await answer(new URL(request.url), client);
    } catch (error) {
      if (!isMemoryApiError(error)) throw error;
      console.error(error.code, error.message);
      const { status, detail, retryAfterSeconds } = problemOf(error);
      return problem(status, detail, retryAfterSeconds);
    }
  },
};

async function answer({ pathname, searchParams }: URL, client: MemoryClient): Promise<Response> {
  switch (pathname) {
    case '/digest': {
      const digest = renderDigest(await client.listMemories(), new Date());
      return new Response(digest, { headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } });
    }
    case '/audio': {
      const { body, contentType } = await client.openMedia(searchParams.get('id') ?? '', 'audio');
      const type = contentType ?? 'application/octet-stream';
      return new Response(body, { headers: { ...headers, 'content-type': type, 'content-disposition': 'attachment' } });
    }
    default:
      return problem(404, 'Not Found');
  }
}

function problem(status: number, detail: string, retryAfterSeconds?: number): Response {
  const retryAfter = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return Response.json({ detail }, { status, headers: { ...headers, ...retryAfter } });
}
