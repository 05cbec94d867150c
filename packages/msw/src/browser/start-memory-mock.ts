import { type SetupWorker, setupWorker } from 'msw/browser';
import { createMemoryBackend } from '../create-memory-backend.ts';
import { type MemoryMock, toMemoryMock } from '../create-memory-mock.ts';
import { isHandlerList, joinHandlers } from '../join-handlers.ts';
import { type MemoryMockOptions, optionError, resolveOptions } from '../mock-options.ts';
import { claimPage } from './claim-page.ts';
import { isWorkerRunning, registerServiceWorker, stopWorker } from './service-worker.ts';
import { startError } from './start-error.ts';

/** Options of {@link startMemoryMock}. */
export interface StartMemoryMockOptions extends MemoryMockOptions {
  /** URL of MSW's `mockServiceWorker.js`. Default: `mockServiceWorker.js` at the root of the origin. */
  serviceWorkerUrl?: string | undefined;
  /**
   * Your own worker of MSW, which you start before the mock, reset and stop. The mock adds its handler, also after each
   * `resetHandlers`. Default: a worker of the mock.
   */
  worker?: Pick<SetupWorker, 'use' | 'resetHandlers' | 'listHandlers'> | undefined;
}

/** A mock behind a service worker. */
export interface BrowserMemoryMock extends MemoryMock {
  /**
   * Stops the mock, and resets it, so pending requests end. Later requests reach the network. Your own worker still runs,
   * without the mock.
   */
  close(): Promise<void>;
}

/**
 * Starts a mock for this page: for development, stories and tests in a browser. See sections 2 to 7 of the
 * specification.
 *
 * Other requests reach the network. Run `npx msw init public --save` once to install the service worker. A page has one
 * mock and one started worker of MSW: if there is another one, the call rejects and changes nothing. If the service
 * worker cannot start, the call rejects with an error whose `cause` is that of MSW.
 *
 * @throws a {@link TypeError} if an option is invalid.
 * @throws a {@link RangeError} if `now` is not a valid date.
 *
 * @example
 * ```ts
 * const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
 * mock.faults.always({ status: 503 }, { match: { operation: 'getMemory' } });
 * ```
 */
export async function startMemoryMock(options: StartMemoryMockOptions = {}): Promise<BrowserMemoryMock> {
  const backend = createMemoryBackend(resolveOptions(options, ['serviceWorkerUrl', 'worker']));
  const { worker, serviceWorkerUrl } = options;
  if (worker !== undefined && !isHandlerList(worker)) {
    throw optionError('worker is not a worker of MSW', 'Pass the result of setupWorker from msw/browser');
  }
  if (worker !== undefined && serviceWorkerUrl !== undefined) {
    throw optionError('worker and serviceWorkerUrl are both given', 'Pass serviceWorkerUrl to worker.start()');
  }
  const mock = toMemoryMock(backend);
  const claim = await claimPage();
  try {
    const isRunning = await isWorkerRunning();
    if (worker && isRunning === false) throw startError('the worker is not started', 'Call worker.start() first');
    if (!worker && isRunning) {
      throw startError('a worker of MSW already runs in this page', 'Pass it as worker, or stop it first');
    }
    const stop = worker ? joinHandlers(worker, backend) : await startWorker(mock, serviceWorkerUrl);
    async function leave(): Promise<void> {
      // MSW 3 waits for pending requests, so a stalled one would keep it from stopping.
      mock.reset();
      await stop();
    }
    return { ...mock, close: () => claim.end(leave) };
  } catch (error) {
    claim.release();
    throw error;
  }
}

/** Starts a worker for the mock alone, and returns a function that stops it. */
async function startWorker({ handlers }: MemoryMock, url = '/mockServiceWorker.js') {
  const scope = new URL('.', new URL(url, location.href)).href;
  if (!location.href.startsWith(scope)) {
    throw startError(
      `a service worker at ${url} only receives requests of pages below ${scope}`,
      'Move the file to the folder of the page or to the root',
    );
  }
  await registerServiceWorker(url).catch((cause) => {
    throw startError(
      `the browser cannot register the service worker ${url} (see the cause)`,
      'If this file is missing, run "npx msw init public --save"',
      { cause },
    );
  });
  const worker = setupWorker(...handlers);
  // This option has one name in MSW 2 and another in MSW 3. Each version ignores the other name.
  const unhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const;
  await worker.start({ ...unhandled, serviceWorker: { url }, quiet: true });
  return () => stopWorker(worker);
}
