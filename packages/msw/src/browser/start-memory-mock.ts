import { setupWorker } from 'msw/browser';
import { createMemoryBackend } from '../create-memory-backend.ts';
import { type MemoryMock, toMemoryMock } from '../create-memory-mock.ts';
import { type MemoryMockOptions, resolveOptions } from '../mock-options.ts';

/** What {@link startMemoryMock} goes by. */
export interface StartMemoryMockOptions extends MemoryMockOptions {
  /** Where `mockServiceWorker.js` of MSW is served: at the root of the origin by default. */
  serviceWorkerUrl?: string | undefined;
}

/** A mock behind a service worker. */
export interface BrowserMemoryMock extends MemoryMock {
  /** Lets requests reach the network again. */
  close(): Promise<void>;
}

/**
 * A mock that answers this page, once it resolves: for development, stories and tests in a browser.
 *
 * Requests that are none of its own go their way. `npx msw init public` puts the service worker where pages find it.
 *
 * @throws TypeError when an option cannot be used; what the browser throws where the service worker cannot start.
 *
 * @example
 * ```ts
 * const mock = await startMemoryMock({ baseUrl: '/api', auth: 'none' });
 * mock.faults.next({ status: 503 });
 * ```
 */
export async function startMemoryMock(options: StartMemoryMockOptions = {}): Promise<BrowserMemoryMock> {
  const mock = toMemoryMock(createMemoryBackend(resolveOptions(options, ['serviceWorkerUrl'])));
  const { serviceWorkerUrl = '/mockServiceWorker.js' } = options;
  const worker = setupWorker(...mock.handlers);
  // MSW 2 and 3 name the option for requests of others differently, and ignore the other's name.
  const unhandled = { onUnhandledRequest: 'bypass', onUnhandledFrame: 'bypass' } as const;
  await worker.start({ ...unhandled, serviceWorker: { url: serviceWorkerUrl }, quiet: true });
  return { ...mock, close: async () => worker.stop() };
}
