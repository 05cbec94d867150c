import { type AnyMemoryApiError, MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import { sampleList } from '../sample-list.ts';
import { signedUrl } from '../signed-url.ts';

/** How an error is brought about: what the requests of a client meet, the last answer for ever, and what is called. */
interface Circumstances {
  readonly answers: readonly ((request: Request, apiKey: string) => Response | Promise<Response>)[];
  readonly call?: (client: MemoryClient, apiKey: string) => unknown;
  readonly options?: MemoryClientOptions;
}

const said = (apiKey: string) => `Cannot serve Bearer ${apiKey} with ${signedUrl}`;
const refusal =
  (status: number, headers: Record<string, string> = {}) =>
  (_request: Request, apiKey: string) =>
    Response.json({ detail: said(apiKey) }, { status, headers: { 'x-request-id': apiKey, ...headers } });
const memory =
  (changes: object = {}) =>
  () =>
    Response.json({ ...sampleList[0], audio_url: signedUrl, ...changes });
const never = () => new Promise<Response>(() => {});
const inAnHour = { 'retry-after': '3600' };

/** Each with the key and a signed URL wherever there is room for one. A new kind of error does not compile without. */
const circumstances: Readonly<Record<AnyMemoryApiError['code'], Circumstances>> = {
  configuration: {
    answers: [never],
    call: async (client, apiKey) => client.withOptions({ apiKey: `${apiKey}\n${signedUrl}` }),
  },
  authentication: { answers: [refusal(401)] },
  not_found: { answers: [refusal(404)], call: (client, apiKey) => client.getMemory(`${apiKey} ${signedUrl}`) },
  invalid_request: {
    answers: [
      (_request, apiKey) =>
        Response.json({ detail: [{ loc: [apiKey, signedUrl], msg: said(apiKey), type: apiKey }] }, { status: 422 }),
    ],
  },
  rate_limited: { answers: [refusal(429, inAnHour)] },
  server: { answers: [refusal(500)] },
  unexpected_response: { answers: [refusal(307, { location: signedUrl })] },
  invalid_response: { answers: [memory({ name: [signedUrl] })] },
  connection: { answers: [(_request, apiKey) => Promise.reject(new TypeError(said(apiKey)))] },
  // The refusal is its cause.
  timeout: { answers: [refusal(503, { 'retry-after': '0' }), never], options: { retries: 1, timeout: 200 } },
  // It holds the memory, and the refusal is its cause.
  processing_timeout: {
    answers: [memory({ is_processing: true }), refusal(503, inAnHour)],
    call: (client) => client.waitForMemory('mem_1', { firstInterval: 1, maxInterval: 1 }),
  },
  media_unavailable: {
    answers: [memory({ audio_url: null })],
    call: (client, apiKey) => client.openMedia(`${apiKey} ${signedUrl}`, 'audio'),
  },
  media_download: {
    answers: [memory(), refusal(451, { location: signedUrl })],
    call: (client) => client.openMedia('mem_1', 'audio'),
  },
};

/** Every error that the client can reject with, by the code that it is meant to have. */
export async function createEveryError(apiKey: string): Promise<(readonly [code: string, error: unknown])[]> {
  return Promise.all(
    Object.entries(circumstances).map(async ([code, { answers, call, options }]) => {
      let requests = 0;
      const fetch = async (request: Request) => {
        requests += 1;
        return answers[Math.min(requests, answers.length) - 1]?.(request, apiKey) ?? never();
      };
      const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey, fetch, retries: 0, ...options });
      const act = call ?? (() => client.getMemory('mem_1'));
      try {
        return [code, await act(client, apiKey)] as const;
      } catch (error) {
        return [code, error] as const;
      }
    }),
  );
}
