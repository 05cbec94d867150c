import { setupWorker } from 'msw/browser';
import { createMemoryBackend } from '../create-memory-backend.ts';
import { type MemoryMock, toMemoryMock } from '../create-memory-mock.ts';
import { type MemoryMockOptions, resolveOptions } from '../mock-options.ts';

/** Options of {@link startMemoryMock}. */
export interface StartMemoryMockOptions extends MemoryMockOptions {
  /** URL of MSW's `mockServiceWorker.js`. Default: `mockServiceWorker.js` at the root of the origin. */
  serviceWorkerUrl?: string | undefined;
}

/** A mock behind a service worker. */
export interface BrowserMemoryMock extends MemoryMock {
  /** Stops the mock. Requests reach the network again. */
  close(): Promise<void>;
}

/**
 * Starts a mock for this page: for development, stories and tests in a browser. See sections 2 to 7 of the
 * specification.
 *
 * Other requests reach the network. Run `npx msw init public --save` once to install the service worker. If the service
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
  const mock = toMemoryMock(createMemoryBackend(resolveOptions(options, ['serviceWorkerUrl'])));
  const { serviceWorkerUrl = '/mockServiceWorker.js' } = options;
  const worker = setupWorker(...mock.handlers);
  // This option has one name in MSW 2 and another in MSW 3. Each version ignores the other name.
  const unhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const;
  try {
    await worker.start({ ...unhandled, serviceWorker: { url: serviceWorkerUrl }, quiet: true });
  } catch (cause) {
    throw new Error(
      `Failed to start the mock: MSW cannot start the service worker ${serviceWorkerUrl} (see the cause). If this file is missing, run "npx msw init public --save".`,
      { cause },
    );
  }
  return { ...mock, close: async () => worker.stop() };
}
