import { type AnyMemoryApiError, MemoryClient, type MemoryClientOptions } from '@memory-read/client';
import { apiKey, repeating, sampleMemory, signedUrl } from '@memory-read/integration-tests/client/faults/samples';

/** How to cause an error: the responses, of which the last one repeats, and the call. */
interface Circumstances {
  readonly answers: readonly (() => Response | Promise<Response>)[];
  readonly call?: (client: MemoryClient) => unknown;
  readonly options?: MemoryClientOptions;
}

/** Headers that an error must not show, or only without what they repeat. */
const leaking = {
  'x-request-id': apiKey,
  'set-cookie': 'session=COOKIESECRET',
  'x-auth-token': 'TOKENSECRET',
  'x-note': repeating.detail,
  'content-location': signedUrl,
  [apiKey]: apiKey,
};
const refusal =
  (status: number, headers: Record<string, string> = {}, body: object = repeating) =>
  () =>
    Response.json(body, { status, headers: { ...leaking, ...headers } });
const memory =
  (changes: Record<string, unknown> = {}) =>
  () =>
    Response.json(sampleMemory(changes));
const never = () => new Promise<Response>(() => {});
const inAnHour = { 'retry-after': '3600' };

/**
 * Every response contains the key and a signed URL wherever possible. A new kind of error does not compile without an
 * entry. No method of the client rejects with the error of a media element.
 */
const circumstances: Readonly<Record<Exclude<AnyMemoryApiError['code'], 'media_playback'>, Circumstances>> = {
  configuration: {
    answers: [never],
    call: async (client) => client.withOptions({ apiKey: `${apiKey}\n${signedUrl}` }),
  },
  authentication: { answers: [refusal(401)] },
  not_found: {
    answers: [refusal(404, {}, { detail: 'Memory not found' })],
    call: (client) => client.getMemory(`${apiKey} ${signedUrl}`),
  },
  invalid_request: {
    answers: [refusal(422, {}, { detail: [{ loc: [apiKey, signedUrl], msg: repeating.detail, type: apiKey }] })],
  },
  rate_limited: { answers: [refusal(429, inAnHour)] },
  server: { answers: [refusal(500)] },
  unexpected_response: { answers: [refusal(307, { location: signedUrl })] },
  invalid_response: { answers: [memory({ name: [signedUrl] })] },
  connection: { answers: [() => Promise.reject(new TypeError(repeating.detail))] },
  // The 503 is the cause of the error.
  timeout: { answers: [refusal(503, { 'retry-after': '0' }), never], options: { retries: 1, timeout: 200 } },
  // The error holds the memory, and the 503 is its cause.
  processing_timeout: {
    answers: [memory({ is_processing: true }), refusal(503, inAnHour)],
    call: (client) => client.waitForMemory('mem_1', { firstInterval: 1, maxInterval: 1 }),
  },
  media_unavailable: {
    answers: [memory({ id: `${apiKey} ${signedUrl}`, audio_url: null })],
    call: (client) => client.openMedia(`${apiKey} ${signedUrl}`, 'audio'),
  },
  media_download: {
    answers: [memory(), refusal(451, { location: signedUrl })],
    call: (client) => client.openMedia('mem_1', 'audio'),
  },
};

/** Creates every error that the client can reject with, by its expected code. */
export async function createEveryError(): Promise<[code: string, error: unknown][]> {
  return Promise.all(
    Object.entries(circumstances).map(async ([code, { answers, call, options }]) => {
      let requests = 0;
      const fetch = async () => {
        requests += 1;
        return answers[Math.min(requests, answers.length) - 1]?.() ?? never();
      };
      const client = new MemoryClient({ baseUrl: 'https://api.example.com', apiKey, fetch, retries: 0, ...options });
      const act = call ?? (() => client.getMemory('mem_1'));
      try {
        return [code, await act(client)];
      } catch (error) {
        return [code, error];
      }
    }),
  );
}
