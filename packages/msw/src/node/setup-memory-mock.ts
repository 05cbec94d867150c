import { MessageChannel } from 'node:worker_threads';
import type { SetupServer } from 'msw/node';
import { formatValue, functionAdvice } from '../checks/format-value.ts';
import { createMemoryBackend } from '../create-memory-backend.ts';
import { type MemoryMock, toMemoryMock } from '../create-memory-mock.ts';
import { eventLoopTurns } from '../event-loop-turns.ts';
import { isHandlerList, joinHandlers } from '../join-handlers.ts';
import { type MemoryMockOptions, optionError, resolveOptions } from '../mock-options.ts';
import { assertNoFailures } from './assert-no-failures.ts';
import { refuseUnmockable } from './real-globals.ts';
import { type RunningMock, startServing, stopServing } from './shared-server.ts';
import { findHooks, type TestHooks } from './test-hooks.ts';
import { createUnhandledRequests } from './unhandled-requests.ts';

/** Options of {@link setupMemoryMock}. */
export interface SetupMemoryMockOptions extends MemoryMockOptions {
  /**
   * Your own MSW server, which you start, reset and close. The mock adds its handler, also after each `resetHandlers`.
   * Default: a server of the mock.
   */
  server?: SetupServer | undefined;
  /**
   * Hooks of the test runner, needed if they are not global: Vitest without globals, node:test. Default: the global
   * hooks.
   */
  hooks?: TestHooks | undefined;
  /**
   * Function that allows other requests to reach the network, such as those to a server of the test. Default: none are
   * allowed.
   */
  allowUnhandled?: ((request: Request) => boolean) | undefined;
}

/**
 * Creates a mock for all tests of a file, and resets it for each test. See sections 2 to 7 of the specification.
 *
 * A request or a WebSocket without a handler is a network error. It fails the test that sent it, even if the code under
 * test catches the error. On your own server, the options of `listen` decide the response; the test still fails. A test
 * also fails if a `match.request` or `allowUnhandled` function throws, or if it sends a request while fake timers
 * replace what MSW needs. A late request counts for the test that started it.
 *
 * @throws a {@link TypeError} if hooks are missing or an option is invalid.
 * @throws a {@link RangeError} if `now` is not a valid date.
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
  if (typeof allow !== 'function') {
    throw optionError(`allowUnhandled is ${formatValue(allow)}, which is not a function`, functionAdvice);
  }
  const hooks = findHooks(options.hooks);
  const mock = toMemoryMock(backend);
  const running = { backend, unhandled: createUnhandledRequests(allow) };
  const stop = server ? joinServer(server, running, hooks) : start(running, hooks);
  hooks.afterEach(async () => {
    // Late requests must count for the test that sent them.
    await eventLoopTurns(MessageChannel);
    mock.reset();
    await assertNoFailures(running);
  });
  hooks.afterAll(async () => {
    await eventLoopTurns(MessageChannel);
    stop();
    await assertNoFailures(running);
  });
  return mock;
}

/** Starts the mock, and returns a function that stops it. */
function start(running: RunningMock, hooks: TestHooks): () => void {
  hooks.beforeAll(() => startServing(running));
  return () => stopServing(running);
}

/** Adds the mock to a server while the tests run. Returns a function that ends this. */
function joinServer(server: SetupServer, running: RunningMock, hooks: TestHooks): () => void {
  if (!isHandlerList(server)) {
    throw optionError('server is not a server of MSW', 'Pass the result of setupServer from msw/node');
  }
  let stops: (() => void)[] = [];
  hooks.beforeAll(() => {
    stops = [running.unhandled.watch(server), joinHandlers(server, running.backend), refuseUnmockable(server)];
  });
  return () => {
    for (const stop of stops) stop();
  };
}
