import { ConfigurationError } from '../errors/errors.ts';

interface BrowserScope {
  readonly window?: unknown;
  readonly document?: unknown;
  readonly importScripts?: unknown;
  readonly WorkerGlobalScope?: unknown;
}

/** Throws in a browser, where every visitor could read the key. */
export function refuseBrowser(): void {
  if (!isBrowser()) return;
  throw new ConfigurationError(
    'Failed to create the client: it runs in a browser, where every visitor can read the API key. ' +
      "Use your own backend with auth: 'none', or set dangerouslyAllowBrowser if the key belongs to the visitor.",
  );
}

/** Returns whether this is a page or a worker of a page. Server runtimes have at most one global of each pair. */
export function isBrowser(): boolean {
  const scope = globalThis as BrowserScope;
  const isWindow = typeof scope.window === 'object' && typeof scope.document === 'object';
  const isWorker = typeof scope.importScripts === 'function' && typeof scope.WorkerGlobalScope === 'function';
  return isWindow || isWorker;
}
