import { sampleListedMemory } from '@memory-read/test-kit/sample-memory';

/** A memory that keeps every rule of section 2. */
export const sampleMemory = sampleListedMemory({
  id: 'mem_10',
  name: 'A walk',
  started_at: '2026-03-02T08:00:00Z',
  ended_at: '2026-03-02T08:01:00Z',
  duration_seconds: 60,
  audio_url: null,
  summary: { quick_summary: 'A walk.', key_takeaways: [] },
});

const segment = { speaker: 'Speaker 1', start_at: '2026-03-02T08:00:01Z', end_at: '2026-03-02T08:00:02Z', text: 'Go.' };

/** Responds as section 4 specifies, for one account with the key `key-1`. */
export async function answerAsSpecified(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const key = request.headers.get('authorization')?.replace('Bearer ', '') ?? request.headers.get('x-api-key');
  if (key === null) return answer(401, { detail: 'Missing API key' });
  if (key !== 'key-1') return answer(401, { detail: 'Invalid API key' });
  if (pathname === '/v1/memories') return answer(200, [sampleMemory]);
  if (pathname !== '/v1/memories/mem_10') return answer(404, { detail: 'Memory not found' });
  return answer(200, { ...sampleMemory, transcript: { segments: [segment] } });
}

export function answer(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}

/** Returns the `fetch` of a server and the requests that it received. */
export function stubFetch(handle: (request: Request) => Promise<Response>): {
  fetch: typeof globalThis.fetch;
  requests: { request: Request; init: RequestInit | undefined }[];
} {
  const requests: { request: Request; init: RequestInit | undefined }[] = [];
  return {
    requests,
    async fetch(input, init) {
      const request = new Request(input, init);
      requests.push({ request, init });
      return handle(request);
    },
  };
}
