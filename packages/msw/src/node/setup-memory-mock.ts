import type { SetupServer } from 'msw/node';
import { createMemoryBackend } from '../create-memory-backend.ts';
import { type MemoryMock, toMemoryMock } from '../create-memory-mock.ts';
import { type MemoryMockOptions, optionError, resolveOptions } from '../mock-options.ts';
import { assertNoFailures } from './assert-no-failures.ts';
import { eventLoopTurns } from './event-loop-turns.ts';
import { type RunningMock, startServing, stopServing } from './shared-server.ts';
import { findHooks, type TestHooks } from './test-hooks.ts';
import { createUnhandledRequests } from './unhandled-requests.ts';

/** What {@link setupMemoryMock} goes by. */
export interface SetupMemoryMockOptions extends MemoryMockOptions {
  /** A server of your own, which you start, reset and close; one is made where there is none. */
  server?: SetupServer | undefined;
  /** Of the test runner, where they are not global: Vitest without globals, node:test. */
  hooks?: TestHooks | undefined;
  /** Requests that may leave for the real network, such as those to a server that the test itself started; none by default. */
  allowUnhandled?: ((request: Request) => boolean) | undefined;
}

/**
 * A mock that is there for every test of the file, and new for each.
 *
 * A request that nothing answers is a network error and fails the test that sent it, also where the code under test
 * swallows the error, and where MSW would take its URL for that of a file. On a server of yours, what becomes of it is
 * as you called `listen`; the test fails as well. So it does where a `match.request` or `allowUnhandled` throws. A request
 * that a test leaves behind counts for that test, as far as it begins with it.
 *
 * @throws TypeError when there are no hooks, or an option cannot be used.
 *
 * @example
 * ```ts
 * const mock = setupMemoryMock({ hooks: { beforeAll, afterEach, afterAll } });
 *
 * test('the newest memory comes first', async () => {
 *   const client = new MemoryClient({ baseUrl: mock.baseUrl, apiKey: mock.apiKey });
 *   mock.memories.add({ name: 'Stand-up' });
 *   expect((await client.listMemories())[0]?.name).toBe('Stand-up');
 * });
 * ```
 */
export function setupMemoryMock(options: SetupMemoryMockOptions = {}): MemoryMock {
  const backend = createMemoryBackend(resolveOptions(options, ['server', 'hooks', 'allowUnhandled']));
  const { server, allowUnhandled: allow = () => false } = options;
  if (typeof allow !== 'function') throw optionError('allowUnhandled is no function', 'Pass one or none');
  const hooks = findHooks(options.hooks);
  const mock = toMemoryMock(backend);
  const running = { backend, unhandled: createUnhandledRequests({ allow, owns: backend.owns }) };
  const stop = server ? joinServer(server, { hooks, mock, running }) : start(running, hooks);
  hooks.afterEach(async () => {
    // What the test left behind is to be its own.
    await eventLoopTurns();
    mock.reset();
    await assertNoFailures(running);
  });
  hooks.afterAll(async () => {
    await eventLoopTurns();
    stop();
    await assertNoFailures(running);
  });
  return mock;
}

/** Returns what ends it. */
function start(running: RunningMock, hooks: TestHooks): () => void {
  hooks.beforeAll(() => startServing(running));
  return () => stopServing(running);
}

/** Its owner's reset takes the handlers away, so they are put back before each test. Returns what ends the watching. */
function joinServer(server: SetupServer, { hooks, mock, running }: Joining): () => void {
  if (typeof server?.listHandlers !== 'function') {
    throw optionError("server is none of MSW's", 'Pass what setupServer of msw/node returned');
  }
  const join = () => {
    const present: readonly unknown[] = server.listHandlers();
    if (!mock.handlers.some((handler) => present.includes(handler))) server.use(...mock.handlers);
  };
  let stopWatching = () => {};
  hooks.beforeAll(() => {
    stopWatching = running.unhandled.watch(server);
    join();
  });
  hooks.beforeEach?.(join);
  return () => stopWatching();
}

interface Joining {
  hooks: TestHooks;
  mock: MemoryMock;
  running: RunningMock;
}
