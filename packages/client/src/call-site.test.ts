import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sampleMemory } from '@memory-read/test-kit/sample-memory';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { locate } from './call-site.ts';
import { MemoryApiError, MemoryClient, type MemoryClientOptions, ServerError, type WaitOutcome } from './index.ts';
import { saveMedia } from './node/save-media.ts';
import { rejection } from './testing/rejection.ts';
import { json, never } from './testing/stub-fetch.ts';

function createClient(fetch: (request: Request) => Response | Promise<Response>, options: MemoryClientOptions = {}) {
  return new MemoryClient({ baseUrl: 'https://api.example.com', apiKey: 'sk_test', retries: 0, fetch, ...options });
}

// Without a backoff.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => void vi.restoreAllMocks());

const failing = createClient(async () => json({}, { status: 400 }));
const stuck = createClient(never, { timeout: 20 });
const withMedia = (answer: (request: Request) => Response | Promise<Response>) =>
  createClient((request) =>
    request.url.startsWith('https://media')
      ? answer(request)
      : json(sampleMemory({ audio_url: 'https://media.example.com/audio', is_processing: true })),
  );
const cut = () =>
  new Response(new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) }), {
    headers: { 'content-length': '5' },
  });

/** Calls a method later than its caller asks for the result, as a queue would do. */
const raced = (promise: Promise<unknown>) => Promise.race([promise, new Promise(() => {})]);
const first = async (outcomes: AsyncIterable<WaitOutcome>) => {
  for await (const outcome of outcomes) throw 'error' in outcome ? outcome.error : outcome;
};
const readAll = async (open: Promise<{ readonly body: ReadableStream }>) => {
  const reader = (await open).body.getReader();
  while (!(await reader.read()).done);
};
const reported = (client: MemoryClient) =>
  new Promise((_resolve, reject) => {
    const watch = client.watchMemories({ onError: (error) => reject(error) });
    watch[Symbol.asyncIterator]()
      .next()
      .catch(() => {});
  });

// Each function is the caller whose frame the error has to hold.
const callers: Record<string, () => unknown> = {
  callerOfList: () => failing.listMemories(),
  callerOfGet: () => raced(failing.getMemory('mem_1')),
  callerWithOption: () => raced(failing.getMemory('mem_1', { timeout: -1 })),
  callerOfTimeout: () => raced(stuck.listMemories()),
  callerOfWait: () => raced(failing.waitForMemory('mem_1')),
  callerOfLongWait: () => raced(withMedia(never).waitForMemory('mem_1', { maxWait: 5, firstInterval: 1 })),
  callerOfOutcome: () =>
    first(createClient(({ url }) => json([], { status: url.endsWith('/m') ? 400 : 200 })).waitForMemories(['m'])),
  callerOfLongOutcome: () => first(withMedia(never).waitForMemories(['m'], { maxWait: 5, firstInterval: 1 })),
  callerOfWaits: () => raced(first(failing.waitForMemories(['m']))),
  callerOfRefusedWaits: () => first(failing.waitForMemories(['m'], { maxWait: -1 })),
  callerOfWatch: () => raced(failing.watchMemories()[Symbol.asyncIterator]().next()),
  callerOfReport: () => reported(failing),
  callerOfMediaUrl: () => raced(failing.mediaUrl('mem_1', 'audio')),
  callerOfMemory: () => raced(failing.openMedia('mem_1', 'audio')),
  callerOfDownload: () => raced(withMedia(() => new Response(null, { status: 501 })).openMedia('mem_1', 'audio')),
  callerOfSave: () => raced(saveMedia(failing, 'mem_1', 'audio', join(tmpdir(), 'none.wav'))),
  callerOfSaveWithoutClient: () => raced(saveMedia(undefined as never, 'mem_1', 'audio', 'none.wav')),
  callerOfBody: () => readAll(withMedia(cut).openMedia('mem_1', 'audio')),
};

test.each(Object.entries(callers))('the stack of %s holds the frames of the caller once', async (_title, call) => {
  // The call comes from another turn, so that no frame of it is found by chance.
  const promise = await new Promise<{ result: unknown }>((resolve) => setTimeout(() => resolve({ result: call() })));
  const error = await rejection(promise.result as Promise<unknown>);
  expect(error).toBeInstanceOf(MemoryApiError);
  const { stack = '', name, message } = error as MemoryApiError;
  expect(stack.startsWith(`${name}: ${message}\n    at `)).toBe(true);
  const frames = stack.slice(`${name}: ${message}\n`.length).split('\n');
  expect(frames.filter((frame) => frame.includes(call.name))).toHaveLength(1);
  expect(new Set(frames).size).toBe(frames.length);
  expect(Object.keys(error as object)).not.toContain('stack');
});

test('callers that share a request have frames of their own', async () => {
  const one = () => rejection(failing.mediaUrl('mem_1', 'audio'));
  const callerA = () => one();
  const callerB = () => one();
  const [a, b] = (await Promise.all([callerA(), callerB()])) as [Error, Error];
  expect([a.stack?.includes('callerA'), a.stack?.includes('callerB')]).toEqual([true, false]);
  expect([b.stack?.includes('callerA'), b.stack?.includes('callerB')]).toEqual([false, true]);
  expect(JSON.stringify(a)).toBe(JSON.stringify(b));
});

test('an error of the caller keeps its stack', async () => {
  const ownError = new Error('No key today.');
  const { stack } = ownError;
  const client = createClient(never, { apiKey: () => Promise.reject(ownError) });
  expect(await rejection(client.listMemories())).toBe(ownError);
  expect(ownError.stack).toBe(stack);
});

test.each([
  ['of Firefox and Safari', 'listMemories@file:1:2\ncaller@file:3:4\n', 'listMemories@file:1:2\ncaller@file:3:4\n'],
  ['without frames', 'Error', 'ServerError: $& No.'],
  ['of a tool that formats stacks', undefined, 'as it was'],
])('a stack %s', (_title, stack, expected) => {
  const error = new ServerError('$& No.', { status: 500 });
  error.stack = 'as it was';
  expect(locate(error, { stack } as Error).stack).toBe(expected);
});
