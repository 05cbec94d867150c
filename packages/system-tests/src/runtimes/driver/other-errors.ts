import type { MemoryClientOptions } from '@memory-read/client';
import { apiKey, repeating, sampleMemory, signedUrl } from '@memory-read/integration-tests/client/faults/samples';
import type { MemoryCalls, OpenClient } from './driver-input.ts';

const refusal = (status: number, headers: object) => Response.json(repeating, { status, headers: { ...headers } });
const memory = (changes = {}) => Response.json(sampleMemory(changes));

/** The errors that no fault of the catalogue causes, by their code: a call, the responses to its requests, and options. */
const others: [
  code: string,
  call: (client: MemoryCalls) => unknown,
  answers: () => (Response | Promise<Response>)[],
  options?: MemoryClientOptions,
][] = [
  ['configuration', (client) => client.listMemories(), () => [], { apiKey: `${apiKey}\n${signedUrl}` }],
  // The 503 is the cause of the error.
  [
    'timeout',
    (client) => client.getMemory('mem_1'),
    () => [refusal(503, { 'retry-after': '0' }), new Promise<Response>(() => {})],
    { retries: 1, timeout: 200 },
  ],
  // The error holds the memory, and the 503 is its cause.
  [
    'processing_timeout',
    (client) => client.waitForMemory('mem_1', { firstInterval: 1, maxInterval: 1 }),
    () => [memory({ is_processing: true }), refusal(503, { 'retry-after': '3600' })],
  ],
  [
    'media_unavailable',
    (client) => client.openMedia(`${apiKey} ${signedUrl}`, 'audio'),
    () => [memory({ id: `${apiKey} ${signedUrl}`, audio_url: null })],
  ],
  [
    'media_download',
    (client) => client.openMedia('mem_1', 'audio'),
    () => [memory(), refusal(451, { location: signedUrl })],
  ],
];

/** Causes these errors, every response with the key and a signed URL wherever possible. */
export async function createOtherErrors(openClient: OpenClient): Promise<[code: string, error: unknown][]> {
  return Promise.all(
    others.map(async ([code, call, answers, options]) => {
      const left = answers();
      const fetch = async () => left.shift() ?? Response.error();
      try {
        const client = openClient({ baseUrl: 'https://api.example.com', apiKey, fetch, retries: 0, ...options });
        return [code, await call(client.calls)];
      } catch (error) {
        return [code, error];
      }
    }),
  );
}
