import { isMemoryApiError, MemoryClient, type WaitOutcome } from '@memory-read/client';
import { runConformance } from '@memory-read/conformance';
import { expect, test } from 'vitest';
import { TestProcess } from '../testing/test-process.ts';
import { toCommandTerms } from './command-terms.ts';
import { explainFailure } from './explain-failure.ts';

const process = new TestProcess();
const base = { baseUrl: 'https://api.test', apiKey: 'mrk_1', retries: 0 };
const silent = (_url: unknown, init: { signal?: AbortSignal | null } = {}) =>
  new Promise<Response>((_resolve, reject) => {
    init.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });
const refuseKey = async () => Response.json({ detail: 'Invalid API key' }, { status: 401 });
const answer = (body: unknown, init?: ResponseInit) => async () => Response.json(body, init);

/** Each case causes an error in which the client itself gives advice. */
const failures: [title: string, fail: () => unknown][] = [
  ['plain HTTP', () => new MemoryClient({ ...base, baseUrl: 'http://api.test' })],
  ['a relative base URL', () => new MemoryClient({ ...base, baseUrl: '/memories' })],
  ['a password in the base URL', () => new MemoryClient({ ...base, baseUrl: 'https://ada:hush@api.test' })],
  ['a key that is refused', () => new MemoryClient({ ...base, fetch: refuseKey }).listMemories()],
  ['a broken list', () => new MemoryClient({ ...base, fetch: answer([{ id: 1 }]) }).listMemories()],
  ['a broken memory', () => new MemoryClient({ ...base, fetch: answer({ id: 1 }) }).getMemory('a')],
  ['a wrong base URL', () => new MemoryClient({ ...base, fetch: answer(1, { status: 404 }) }).listMemories()],
  [
    'a body that is too large',
    () => new MemoryClient({ ...base, fetch: answer([]), maxResponseBytes: 1 }).listMemories(),
  ],
  ['an attempt without an answer', () => new MemoryClient({ ...base, fetch: silent, timeout: 1 }).listMemories()],
  ['a call without an answer', () => new MemoryClient({ ...base, fetch: silent, totalTimeout: 1 }).listMemories()],
  ['a wait without an answer', () => new MemoryClient({ ...base, fetch: silent }).waitForMemory('a', { maxWait: 1 })],
];

test.each(failures)('%s is described without options of the client', async (_title, fail) => {
  const error = await rejectionOf(fail);
  expect(error.message).toMatch(
    /validation: '(?:warn|skip)'|maxWait|[tT]imeout|apiKey option|baseUrl|maxResponse|allowInsecureHttp|auth:/,
  );
  expect(explainFailure(process, error)).toMatch(/^Failed to .+: .+\.$/);
  expect(explainFailure(process, error)).not.toMatch(
    /validation|maxWait|timeout if|totalTimeout|apiKey|baseUrl|maxResponse|allowInsecure|auth:/,
  );
});

test('an excessive Retry-After is described with the option of the command', async () => {
  const fetch = async () => new Response('{}', { status: 429, headers: { 'retry-after': '60' } });
  const waits = new MemoryClient({ ...base, fetch }).waitForMemories(['a'], { maxWait: 1_000 });
  const outcome = (await waits.next()).value as Exclude<WaitOutcome, { status: 'processed' }>;
  expect(explainFailure(process, outcome.error)).toMatch(
    /which exceeds the rest of --timeout \(1000 ms\)\. Pass a longer --timeout, or wait again later\. The last failure: Failed to list memories: /,
  );
});

test('a key that verify cannot send is described without options of the library', async () => {
  const error = await runConformance({ baseUrl: base.baseUrl, apiKey: 'a b' }).catch((reason: Error) => reason);
  expect(explainFailure(process, error as Error)).toMatch(
    /: the key is empty, or contains characters that a header cannot contain\. /,
  );
});

test('timeouts of undici are described without its options', () => {
  expect(toCommandTerms(process, 'Failed. Check the network, or raise headersTimeout of the undici Agent.')).toBe(
    'Failed. Check the network, or try again later.',
  );
});

test('does not describe a cause that the client did not create', () => {
  expect(explainFailure(process, new Error('Failed to a: b. Do c.', { cause: new TypeError('hush') }))).toBe(
    'Failed to a: b. Do c.',
  );
});

async function rejectionOf(fail: () => unknown): Promise<Error> {
  try {
    await fail();
  } catch (error) {
    if (isMemoryApiError(error)) return error;
    throw error;
  }
  throw new Error('nothing failed');
}
